/* SPDX-License-Identifier: Apache-2.0 */
/* transfers.c - transfer managers: buffers whose data comes piece by piece. */
#include "plugin.h"

typedef pj_async_host_to_device_transfer_manager manager;

static manager *new_manager(pj_client *c, pj_device *d, const pj_shape_spec *specs, size_t n,
                            pj_buffer_memory_layout **layouts)
{
    pj_Device_DefaultMemory_args m = ARGS(Device_DefaultMemory);
    pj_Client_CreateBuffersForAsyncHostToDevice_args a =
        ARGS(Client_CreateBuffersForAsyncHostToDevice);
    m.device = d;
    CHECK(CALL(Device_DefaultMemory, &m));
    a.client = c;
    a.shape_specs = (pj_shape_spec *)specs;
    a.num_shape_specs = n;
    a.device_layouts = layouts;
    a.num_device_layouts = layouts ? n : 0;
    a.memory = m.memory;
    return CALL(Client_CreateBuffersForAsyncHostToDevice, &a) ? a.transfer_manager : NULL;
}

static bool send(manager *m, int index, const void *data, int64_t offset, int64_t size, bool last)
{
    pj_AsyncHostToDeviceTransferManager_TransferData_args a =
        ARGS(AsyncHostToDeviceTransferManager_TransferData);
    a.transfer_manager = m;
    a.buffer_index = index;
    a.data = data;
    a.offset = offset;
    a.transfer_size = size;
    a.is_last_transfer = last;
    return CALL(AsyncHostToDeviceTransferManager_TransferData, &a) &&
           await(a.done_with_h2d_transfer);
}

static bool send_literal(manager *m, int index, const void *data, const int64_t *dims, size_t rank,
                         pj_buffer_memory_layout *layout)
{
    pj_AsyncHostToDeviceTransferManager_TransferLiteral_args a =
        ARGS(AsyncHostToDeviceTransferManager_TransferLiteral);
    a.transfer_manager = m;
    a.buffer_index = index;
    a.data = data;
    a.shape_dims = dims;
    a.shape_num_dims = rank;
    a.shape_element_type = S32;
    a.shape_layout = layout;
    return CALL(AsyncHostToDeviceTransferManager_TransferLiteral, &a) &&
           await(a.done_with_h2d_transfer);
}

static pj_buffer *retrieve(manager *m, int index)
{
    pj_AsyncHostToDeviceTransferManager_RetrieveBuffer_args a =
        ARGS(AsyncHostToDeviceTransferManager_RetrieveBuffer);
    a.transfer_manager = m;
    a.buffer_index = index;
    return CALL(AsyncHostToDeviceTransferManager_RetrieveBuffer, &a) ? a.buffer_out : NULL;
}

static void end(manager *m)
{
    pj_AsyncHostToDeviceTransferManager_Destroy_args a =
        ARGS(AsyncHostToDeviceTransferManager_Destroy);
    a.transfer_manager = m;
    CHECK(CALL(AsyncHostToDeviceTransferManager_Destroy, &a));
}

static pj_event *ready_of(pj_buffer *b)
{
    pj_Buffer_ReadyEvent_args a = ARGS(Buffer_ReadyEvent);
    a.buffer = b;
    return CALL(Buffer_ReadyEvent, &a) ? a.event : NULL;
}

static const int64_t dims[] = {2, 2};

#define SPEC(type, shape, n)                        \
    {                                               \
        sizeof(pj_shape_spec), NULL, shape, n, type \
    }

static void check_pieces(pj_client *c, pj_device *d)
{
    const pj_shape_spec specs[] = {SPEC(S32, dims, 2), SPEC(S32, dims, 2), SPEC(F32, NULL, 0)};
    const int32_t data[] = {1, 2, 3, 4};
    int32_t back[4];
    manager *m = new_manager(c, d, specs, 3, NULL);
    CHECK(m != NULL);
    pj_AsyncHostToDeviceTransferManager_BufferCount_args n =
        ARGS(AsyncHostToDeviceTransferManager_BufferCount);
    pj_AsyncHostToDeviceTransferManager_BufferSize_args s =
        ARGS(AsyncHostToDeviceTransferManager_BufferSize);
    pj_AsyncHostToDeviceTransferManager_Device_args w =
        ARGS(AsyncHostToDeviceTransferManager_Device);
    n.transfer_manager = s.transfer_manager = w.transfer_manager = m;
    s.buffer_index = 1;
    CHECK(CALL(AsyncHostToDeviceTransferManager_BufferCount, &n) && n.buffer_count == 3);
    CHECK(CALL(AsyncHostToDeviceTransferManager_BufferSize, &s) && s.buffer_size == 16);
    CHECK(CALL(AsyncHostToDeviceTransferManager_Device, &w) && w.device_out == d);
    /* The second half first; the buffer waits for the last piece. */
    pj_buffer *b = retrieve(m, 0);
    pj_event *ready = ready_of(b);
    CHECK(send(m, 0, data + 2, 8, 8, false) && !is_done(ready));
    CHECK(send(m, 0, data, 0, 8, true) && is_done(ready) && await(ready));
    CHECK(get(b, back, sizeof back) && !memcmp(back, data, sizeof data));
    CHECK(!send(m, 0, data, 0, 8, false) && refused_with(PJ_FAILED_PRECONDITION, "last data"));
    CHECK(!retrieve(m, 0) && refused_with(PJ_FAILED_PRECONDITION, "retrieved already"));
    CHECK(!retrieve(m, 3) && refused_with(PJ_INVALID_ARGUMENT, "there is no buffer 3"));
    CHECK(!send(m, 1, data, 8, 16, true) && refused_with(PJ_INVALID_ARGUMENT, "buffer of 16"));
    CHECK(!send(m, 1, data, -4, 4, true) && !send(m, -1, data, 0, 4, true));
    drop(b);
    end(m);
}

/* What never gets its data ends with an error, and so does what runs with it. */
static void check_given_up(pj_client *c, pj_device *d)
{
    static const int64_t two_floats[] = {2};
    const pj_shape_spec specs[] = {SPEC(F32, two_floats, 1), SPEC(F32, two_floats, 1)};
    manager *m = new_manager(c, d, specs, 2, NULL);
    pj_loaded_executable *x = compile(c, twice, strlen(twice), one, sizeof one);
    CHECK(m && x);
    float got[2];
    pj_buffer *in[] = {retrieve(m, 0), put_floats(c, d, 1, 2)}, *out[2] = {0},
              *late = retrieve(m, 1);
    pj_buffer *const *ins[] = {in};
    pj_buffer **const outs[] = {out};
    pj_AsyncHostToDeviceTransferManager_SetBufferError_args e =
        ARGS(AsyncHostToDeviceTransferManager_SetBufferError);
    e.transfer_manager = m;
    e.error_code = PJ_DATA_LOSS;
    e.error_message = "the tape is torn";
    e.error_message_size = strlen(e.error_message);
    CHECK(CALL(AsyncHostToDeviceTransferManager_SetBufferError, &e));
    CHECK(!CALL(AsyncHostToDeviceTransferManager_SetBufferError, &e));
    CHECK(!execute(x, ins, 1, 2, outs) && refused_with(PJ_DATA_LOSS, "torn"));
    CHECK(!get(out[0], got, sizeof got) && refused_with(PJ_DATA_LOSS, "torn"));
    end(m);
    CHECK(!get(late, got, sizeof got) && refused_with(PJ_CANCELLED, "manager was destroyed"));
    drop(in[0]);
    drop(in[1]);
    drop(out[0]);
    drop(out[1]);
    drop(late);
    unload(x);
}

static void check_literals(pj_client *c, pj_device *d)
{
    const pj_shape_spec spec = SPEC(S32, dims, 2);
    static const int64_t columns[] = {0, 1}, rows[] = {1, 0}, flat[] = {4};
    const int32_t data[] = {1, 2, 3, 4};
    int32_t back[4];
    pj_buffer_memory_layout by_column = {.struct_size = sizeof by_column,
                                         .tiled = {.struct_size = sizeof by_column.tiled,
                                                   .minor_to_major = columns,
                                                   .minor_to_major_size = 2},
                                         .type = PJ_TILED},
                            by_row = by_column, *device_layout = &by_column;
    by_row.tiled.minor_to_major = rows;
    CHECK(!new_manager(c, d, &spec, 1, &device_layout) &&
          refused_with(PJ_UNIMPLEMENTED, "row major"));
    device_layout = &by_row;
    manager *m = new_manager(c, d, &spec, 1, &device_layout);
    CHECK(m != NULL);
    pj_buffer *b = retrieve(m, 0);
    CHECK(!send_literal(m, 0, data, flat, 1, NULL) &&
          refused_with(PJ_INVALID_ARGUMENT, "tensor<4xi32> cannot fill a buffer tensor<2x2xi32>"));
    CHECK(send_literal(m, 0, data, dims, 2, &by_column) && get(b, back, sizeof back) &&
          back[1] == 3 && back[2] == 2);
    drop(b);
    end(m);
}

void test_transfers(void)
{
    pj_client *c = open_client("1");
    pj_device *d = devices_of(c)[0];
    check_pieces(c, d);
    check_given_up(c, d);
    check_literals(c, d);
    CHECK(close_client(c));
}
