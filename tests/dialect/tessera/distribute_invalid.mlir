// Groups that no mesh has.
// RUN: not tessera opt %s --tessera-distribute=groups=x 2>&1 | FileCheck %s --check-prefix=FORM
// RUN: not tessera opt %s --tessera-distribute=groups=x:b 2>&1 | FileCheck %s --check-prefix=AXES
// FORM: error: 'sdy.mesh' op cannot have a group 'x': groups are written name:axis+axis
// AXES: error: 'sdy.mesh' op has not the axes of group 'x:b'
sdy.mesh @mesh = <["a"=2]>
func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>}) -> tensor<8xf32> {
  return %x : tensor<8xf32>
}

// A mesh that nobody has.
// RUN: sed 's/"a"=2/"a"=4294967296, "b"=4294967296/' %s | not tessera opt - --tessera-distribute 2>&1 | FileCheck %s --check-prefix=MANY
// MANY: error: a mesh of more than 1048576 devices cannot be partitioned for
