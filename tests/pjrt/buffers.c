/* SPDX-License-Identifier: Apache-2.0 */
/* buffers.c - arrays of the host on devices and back, copies, deleted ones. */
#include "plugin.h"

static void check_buffers(pj_client *c, pj_device *d)
{
    static const int64_t dims[] = {2, 3}, turned[] = {4, 8}, bad[] = {-1};
    const int32_t data[] = {1, 2, 3, 4, 5, 6};
    int32_t back[6];
    pj_event *done;
    pj_buffer *b = put(c, d, S32, data, dims, 2, NULL, PJ_DURING_CALL, &done);
    CHECK(b && is_done(done) && await(done) && get(b, back, sizeof back) &&
          !memcmp(back, data, sizeof data));
    drop(b);
    b = put(c, d, S32, data, dims, 2, turned, PJ_UNTIL_TRANSFER, &done); /* column major */
    CHECK(b && await(done) && get(b, back, sizeof back) && back[0] == 1 && back[1] == 3 &&
          back[2] == 5 && back[3] == 2);
    drop(b);
    /* The host's own data: it is needed until the buffer goes. */
    _Alignas(64) static int32_t own[6] = {7, 8, 9, 10, 11, 12};
    b = put(c, d, S32, own, dims, 2, NULL, PJ_ZERO_COPY, &done);
    pj_Buffer_UnsafePointer_args p = ARGS(Buffer_UnsafePointer);
    p.buffer = b;
    CHECK(b && CALL(Buffer_UnsafePointer, &p) && p.buffer_pointer == (uintptr_t)own &&
          !is_done(done));
    drop(b);
    CHECK(is_done(done) && await(done));
    /* Four bits in a byte: what is above them is nothing. */
    const unsigned char nibbles[] = {0xF7, 0x18, 0x0F};
    signed char out[3];
    static const int64_t three[] = {3};
    b = put(c, d, S4, nibbles, three, 1, NULL, PJ_DURING_CALL, &done);
    CHECK(b && await(done) && get(b, out, 3) && out[0] == 7 && out[1] == -8 && out[2] == -1);
    drop(b);
    CHECK(!put(c, d, 99, data, dims, 2, NULL, PJ_DURING_CALL, &done) && code == PJ_UNIMPLEMENTED);
    CHECK(!put(c, d, S32, data, bad, 1, NULL, PJ_DURING_CALL, &done));
    CHECK(!put(c, NULL, S32, data, dims, 2, NULL, PJ_DURING_CALL, &done) &&
          code == PJ_INVALID_ARGUMENT);
}

/* A copy on another device shares the data, one on the same device has its own; either outlives the buffer. */
static void check_copy(pj_client *c, pj_device *const *devices, int to)
{
    const int32_t data[] = {1, 2};
    static const int64_t dims[] = {2};
    int32_t back[2];
    pj_event *done;
    pj_buffer *b = put(c, devices[0], S32, data, dims, 1, NULL, PJ_DURING_CALL, &done);
    CHECK(b && await(done));
    pj_Buffer_CopyToDevice_args copy = ARGS(Buffer_CopyToDevice);
    pj_Buffer_UnsafePointer_args p = ARGS(Buffer_UnsafePointer), q = ARGS(Buffer_UnsafePointer);
    copy.buffer = p.buffer = b;
    copy.dst_device = devices[to];
    CHECK(CALL(Buffer_CopyToDevice, &copy));
    q.buffer = copy.dst_buffer;
    CHECK(CALL(Buffer_UnsafePointer, &p) && CALL(Buffer_UnsafePointer, &q) &&
          (p.buffer_pointer == q.buffer_pointer) == (to != 0));
    drop(b);
    CHECK(get(copy.dst_buffer, back, sizeof back) && back[0] == 1 && back[1] == 2);
    drop(copy.dst_buffer);
}

static void check_deleted(pj_client *c, pj_device *d)
{
    const int32_t data[] = {1, 2};
    static const int64_t dims[] = {2};
    int32_t back[2];
    pj_event *done;
    pj_buffer *b = put(c, d, S32, data, dims, 1, NULL, PJ_DURING_CALL, &done);
    CHECK(b && await(done));
    pj_Buffer_Delete_args del = ARGS(Buffer_Delete);
    pj_Buffer_IsDeleted_args is = ARGS(Buffer_IsDeleted);
    pj_Buffer_Dimensions_args shape = ARGS(Buffer_Dimensions);
    del.buffer = is.buffer = shape.buffer = b;
    CHECK(CALL(Buffer_IsDeleted, &is) && !is.is_deleted);
    CHECK(CALL(Buffer_Delete, &del) && CALL(Buffer_Delete, &del) && CALL(Buffer_IsDeleted, &is) &&
          is.is_deleted);
    CHECK(CALL(Buffer_Dimensions, &shape) && shape.num_dims == 1 && shape.dims[0] == 2);
    CHECK(!get(b, back, sizeof back) && code == PJ_INVALID_ARGUMENT);
    drop(b);
}

void test_buffers(void)
{
    pj_client *c = open_client("2");
    pj_device *const *devices = devices_of(c);
    check_buffers(c, devices[0]);
    check_copy(c, devices, 1);
    check_copy(c, devices, 0);
    check_deleted(c, devices[0]);
    CHECK(close_client(c));
}
