module @jit_func attributes {jax.uses_shape_polymorphism = false, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<24x4xf32>, %arg1: tensor<24x6xf32>, %arg2: tensor<24xf32>, %arg3: tensor<24xf32>, %arg4: tensor<2x5x4xf32>) -> (tensor<2x5x6xf32> {jax.result_info = "result[0]"}) {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1x2x6xf32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1x2x6xf32>
    %2 = stablehlo.reshape %0 : (tensor<1x2x6xf32>) -> tensor<2x6xf32>
    %3 = stablehlo.reshape %1 : (tensor<1x2x6xf32>) -> tensor<2x6xf32>
    %4 = stablehlo.transpose %arg4, dims = [1, 0, 2] : (tensor<2x5x4xf32>) -> tensor<5x2x4xf32>
    %5 = stablehlo.broadcast_in_dim %2, dims = [1, 2] : (tensor<2x6xf32>) -> tensor<1x2x6xf32>
    %6 = stablehlo.broadcast_in_dim %3, dims = [1, 2] : (tensor<2x6xf32>) -> tensor<1x2x6xf32>
    %7 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<24x4xf32>) -> tensor<4x24xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [1, 2] : (tensor<4x24xf32>) -> tensor<5x4x24xf32>
    %9 = stablehlo.dot_general %4, %8, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<5x2x4xf32>, tensor<5x4x24xf32>) -> tensor<5x2x24xf32>
    %10 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<24xf32>
    %11 = stablehlo.multiply %arg2, %10 : tensor<24xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [2] : (tensor<24xf32>) -> tensor<1x1x24xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<1x1x24xf32>) -> tensor<5x2x24xf32>
    %14 = stablehlo.add %9, %13 : tensor<5x2x24xf32>
    %15 = stablehlo.slice %14 [0:1, 0:2, 0:24] : (tensor<5x2x24xf32>) -> tensor<1x2x24xf32>
    %16 = stablehlo.slice %14 [1:2, 0:2, 0:24] : (tensor<5x2x24xf32>) -> tensor<1x2x24xf32>
    %17 = stablehlo.slice %14 [2:3, 0:2, 0:24] : (tensor<5x2x24xf32>) -> tensor<1x2x24xf32>
    %18 = stablehlo.slice %14 [3:4, 0:2, 0:24] : (tensor<5x2x24xf32>) -> tensor<1x2x24xf32>
    %19 = stablehlo.slice %14 [4:5, 0:2, 0:24] : (tensor<5x2x24xf32>) -> tensor<1x2x24xf32>
    %20 = stablehlo.reshape %15 : (tensor<1x2x24xf32>) -> tensor<2x24xf32>
    %21 = stablehlo.reshape %16 : (tensor<1x2x24xf32>) -> tensor<2x24xf32>
    %22 = stablehlo.reshape %17 : (tensor<1x2x24xf32>) -> tensor<2x24xf32>
    %23 = stablehlo.reshape %18 : (tensor<1x2x24xf32>) -> tensor<2x24xf32>
    %24 = stablehlo.reshape %19 : (tensor<1x2x24xf32>) -> tensor<2x24xf32>
    %25 = stablehlo.reshape %5 : (tensor<1x2x6xf32>) -> tensor<2x6xf32>
    %26 = stablehlo.transpose %arg1, dims = [1, 0] : (tensor<24x6xf32>) -> tensor<6x24xf32>
    %27 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<24xf32>
    %28 = stablehlo.multiply %arg3, %27 : tensor<24xf32>
    %29 = stablehlo.dot_general %25, %26, contracting_dims = [1] x [0] : (tensor<2x6xf32>, tensor<6x24xf32>) -> tensor<2x24xf32>
    %30 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x24xf32>
    %31 = stablehlo.multiply %30, %29 : tensor<2x24xf32>
    %32 = stablehlo.broadcast_in_dim %28, dims = [1] : (tensor<24xf32>) -> tensor<1x24xf32>
    %33 = stablehlo.broadcast_in_dim %32, dims = [0, 1] : (tensor<1x24xf32>) -> tensor<2x24xf32>
    %34 = stablehlo.add %33, %31 : tensor<2x24xf32>
    %35 = stablehlo.reshape %34 : (tensor<2x24xf32>) -> tensor<1x2x24xf32>
    %36 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x24xf32>
    %37 = stablehlo.multiply %20, %36 : tensor<2x24xf32>
    %38 = stablehlo.broadcast_in_dim %37, dims = [1, 2] : (tensor<2x24xf32>) -> tensor<1x2x24xf32>
    %39 = stablehlo.add %35, %38 : tensor<1x2x24xf32>
    %40 = stablehlo.slice %39 [0:1, 0:2, 0:6] : (tensor<1x2x24xf32>) -> tensor<1x2x6xf32>
    %41 = stablehlo.slice %39 [0:1, 0:2, 6:12] : (tensor<1x2x24xf32>) -> tensor<1x2x6xf32>
    %42 = stablehlo.slice %39 [0:1, 0:2, 12:18] : (tensor<1x2x24xf32>) -> tensor<1x2x6xf32>
    %43 = stablehlo.slice %39 [0:1, 0:2, 18:24] : (tensor<1x2x24xf32>) -> tensor<1x2x6xf32>
    %44 = stablehlo.negate %40 : tensor<1x2x6xf32>
    %45 = stablehlo.exponential %44 : tensor<1x2x6xf32>
    %46 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x6xf32>
    %47 = stablehlo.add %46, %45 : tensor<1x2x6xf32>
    %48 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x6xf32>
    %49 = stablehlo.divide %48, %47 : tensor<1x2x6xf32>
    %50 = stablehlo.negate %41 : tensor<1x2x6xf32>
    %51 = stablehlo.exponential %50 : tensor<1x2x6xf32>
    %52 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x6xf32>
    %53 = stablehlo.add %52, %51 : tensor<1x2x6xf32>
    %54 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x6xf32>
    %55 = stablehlo.divide %54, %53 : tensor<1x2x6xf32>
    %56 = stablehlo.tanh %42 : tensor<1x2x6xf32>
    %57 = stablehlo.negate %43 : tensor<1x2x6xf32>
    %58 = stablehlo.exponential %57 : tensor<1x2x6xf32>
    %59 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x6xf32>
    %60 = stablehlo.add %59, %58 : tensor<1x2x6xf32>
    %61 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x6xf32>
    %62 = stablehlo.divide %61, %60 : tensor<1x2x6xf32>
    %63 = stablehlo.multiply %55, %6 : tensor<1x2x6xf32>
    %64 = stablehlo.multiply %49, %56 : tensor<1x2x6xf32>
    %65 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x6xf32>
    %66 = stablehlo.multiply %64, %65 : tensor<1x2x6xf32>
    %67 = stablehlo.add %63, %66 : tensor<1x2x6xf32>
    %68 = stablehlo.tanh %67 : tensor<1x2x6xf32>
    %69 = stablehlo.multiply %62, %68 : tensor<1x2x6xf32>
    %70 = stablehlo.reshape %69 : (tensor<1x2x6xf32>) -> tensor<2x6xf32>
    %71 = stablehlo.transpose %arg1, dims = [1, 0] : (tensor<24x6xf32>) -> tensor<6x24xf32>
    %72 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<24xf32>
    %73 = stablehlo.multiply %arg3, %72 : tensor<24xf32>
    %74 = stablehlo.dot_general %70, %71, contracting_dims = [1] x [0] : (tensor<2x6xf32>, tensor<6x24xf32>) -> tensor<2x24xf32>
    %75 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x24xf32>
    %76 = stablehlo.multiply %75, %74 : tensor<2x24xf32>
    %77 = stablehlo.broadcast_in_dim %73, dims = [1] : (tensor<24xf32>) -> tensor<1x24xf32>
    %78 = stablehlo.broadcast_in_dim %77, dims = [0, 1] : (tensor<1x24xf32>) -> tensor<2x24xf32>
    %79 = stablehlo.add %78, %76 : tensor<2x24xf32>
    %80 = stablehlo.reshape %79 : (tensor<2x24xf32>) -> tensor<1x2x24xf32>
    %81 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x24xf32>
    %82 = stablehlo.multiply %21, %81 : tensor<2x24xf32>
    %83 = stablehlo.broadcast_in_dim %82, dims = [1, 2] : (tensor<2x24xf32>) -> tensor<1x2x24xf32>
    %84 = stablehlo.add %80, %83 : tensor<1x2x24xf32>
    %85 = stablehlo.slice %84 [0:1, 0:2, 0:6] : (tensor<1x2x24xf32>) -> tensor<1x2x6xf32>
    %86 = stablehlo.slice %84 [0:1, 0:2, 6:12] : (tensor<1x2x24xf32>) -> tensor<1x2x6xf32>
    %87 = stablehlo.slice %84 [0:1, 0:2, 12:18] : (tensor<1x2x24xf32>) -> tensor<1x2x6xf32>
    %88 = stablehlo.slice %84 [0:1, 0:2, 18:24] : (tensor<1x2x24xf32>) -> tensor<1x2x6xf32>
    %89 = stablehlo.negate %85 : tensor<1x2x6xf32>
    %90 = stablehlo.exponential %89 : tensor<1x2x6xf32>
    %91 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x6xf32>
    %92 = stablehlo.add %91, %90 : tensor<1x2x6xf32>
    %93 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x6xf32>
    %94 = stablehlo.divide %93, %92 : tensor<1x2x6xf32>
    %95 = stablehlo.negate %86 : tensor<1x2x6xf32>
    %96 = stablehlo.exponential %95 : tensor<1x2x6xf32>
    %97 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x6xf32>
    %98 = stablehlo.add %97, %96 : tensor<1x2x6xf32>
    %99 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x6xf32>
    %100 = stablehlo.divide %99, %98 : tensor<1x2x6xf32>
    %101 = stablehlo.tanh %87 : tensor<1x2x6xf32>
    %102 = stablehlo.negate %88 : tensor<1x2x6xf32>
    %103 = stablehlo.exponential %102 : tensor<1x2x6xf32>
    %104 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x6xf32>
    %105 = stablehlo.add %104, %103 : tensor<1x2x6xf32>
    %106 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x6xf32>
    %107 = stablehlo.divide %106, %105 : tensor<1x2x6xf32>
    %108 = stablehlo.multiply %100, %67 : tensor<1x2x6xf32>
    %109 = stablehlo.multiply %94, %101 : tensor<1x2x6xf32>
    %110 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x6xf32>
    %111 = stablehlo.multiply %109, %110 : tensor<1x2x6xf32>
    %112 = stablehlo.add %108, %111 : tensor<1x2x6xf32>
    %113 = stablehlo.tanh %112 : tensor<1x2x6xf32>
    %114 = stablehlo.multiply %107, %113 : tensor<1x2x6xf32>
    %115 = stablehlo.reshape %114 : (tensor<1x2x6xf32>) -> tensor<2x6xf32>
    %116 = stablehlo.transpose %arg1, dims = [1, 0] : (tensor<24x6xf32>) -> tensor<6x24xf32>
    %117 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<24xf32>
    %118 = stablehlo.multiply %arg3, %117 : tensor<24xf32>
    %119 = stablehlo.dot_general %115, %116, contracting_dims = [1] x [0] : (tensor<2x6xf32>, tensor<6x24xf32>) -> tensor<2x24xf32>
    %120 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x24xf32>
    %121 = stablehlo.multiply %120, %119 : tensor<2x24xf32>
    %122 = stablehlo.broadcast_in_dim %118, dims = [1] : (tensor<24xf32>) -> tensor<1x24xf32>
    %123 = stablehlo.broadcast_in_dim %122, dims = [0, 1] : (tensor<1x24xf32>) -> tensor<2x24xf32>
    %124 = stablehlo.add %123, %121 : tensor<2x24xf32>
    %125 = stablehlo.reshape %124 : (tensor<2x24xf32>) -> tensor<1x2x24xf32>
    %126 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x24xf32>
    %127 = stablehlo.multiply %22, %126 : tensor<2x24xf32>
    %128 = stablehlo.broadcast_in_dim %127, dims = [1, 2] : (tensor<2x24xf32>) -> tensor<1x2x24xf32>
    %129 = stablehlo.add %125, %128 : tensor<1x2x24xf32>
    %130 = stablehlo.slice %129 [0:1, 0:2, 0:6] : (tensor<1x2x24xf32>) -> tensor<1x2x6xf32>
    %131 = stablehlo.slice %129 [0:1, 0:2, 6:12] : (tensor<1x2x24xf32>) -> tensor<1x2x6xf32>
    %132 = stablehlo.slice %129 [0:1, 0:2, 12:18] : (tensor<1x2x24xf32>) -> tensor<1x2x6xf32>
    %133 = stablehlo.slice %129 [0:1, 0:2, 18:24] : (tensor<1x2x24xf32>) -> tensor<1x2x6xf32>
    %134 = stablehlo.negate %130 : tensor<1x2x6xf32>
    %135 = stablehlo.exponential %134 : tensor<1x2x6xf32>
    %136 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x6xf32>
    %137 = stablehlo.add %136, %135 : tensor<1x2x6xf32>
    %138 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x6xf32>
    %139 = stablehlo.divide %138, %137 : tensor<1x2x6xf32>
    %140 = stablehlo.negate %131 : tensor<1x2x6xf32>
    %141 = stablehlo.exponential %140 : tensor<1x2x6xf32>
    %142 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x6xf32>
    %143 = stablehlo.add %142, %141 : tensor<1x2x6xf32>
    %144 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x6xf32>
    %145 = stablehlo.divide %144, %143 : tensor<1x2x6xf32>
    %146 = stablehlo.tanh %132 : tensor<1x2x6xf32>
    %147 = stablehlo.negate %133 : tensor<1x2x6xf32>
    %148 = stablehlo.exponential %147 : tensor<1x2x6xf32>
    %149 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x6xf32>
    %150 = stablehlo.add %149, %148 : tensor<1x2x6xf32>
    %151 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x6xf32>
    %152 = stablehlo.divide %151, %150 : tensor<1x2x6xf32>
    %153 = stablehlo.multiply %145, %112 : tensor<1x2x6xf32>
    %154 = stablehlo.multiply %139, %146 : tensor<1x2x6xf32>
    %155 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x6xf32>
    %156 = stablehlo.multiply %154, %155 : tensor<1x2x6xf32>
    %157 = stablehlo.add %153, %156 : tensor<1x2x6xf32>
    %158 = stablehlo.tanh %157 : tensor<1x2x6xf32>
    %159 = stablehlo.multiply %152, %158 : tensor<1x2x6xf32>
    %160 = stablehlo.reshape %159 : (tensor<1x2x6xf32>) -> tensor<2x6xf32>
    %161 = stablehlo.transpose %arg1, dims = [1, 0] : (tensor<24x6xf32>) -> tensor<6x24xf32>
    %162 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<24xf32>
    %163 = stablehlo.multiply %arg3, %162 : tensor<24xf32>
    %164 = stablehlo.dot_general %160, %161, contracting_dims = [1] x [0] : (tensor<2x6xf32>, tensor<6x24xf32>) -> tensor<2x24xf32>
    %165 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x24xf32>
    %166 = stablehlo.multiply %165, %164 : tensor<2x24xf32>
    %167 = stablehlo.broadcast_in_dim %163, dims = [1] : (tensor<24xf32>) -> tensor<1x24xf32>
    %168 = stablehlo.broadcast_in_dim %167, dims = [0, 1] : (tensor<1x24xf32>) -> tensor<2x24xf32>
    %169 = stablehlo.add %168, %166 : tensor<2x24xf32>
    %170 = stablehlo.reshape %169 : (tensor<2x24xf32>) -> tensor<1x2x24xf32>
    %171 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x24xf32>
    %172 = stablehlo.multiply %23, %171 : tensor<2x24xf32>
    %173 = stablehlo.broadcast_in_dim %172, dims = [1, 2] : (tensor<2x24xf32>) -> tensor<1x2x24xf32>
    %174 = stablehlo.add %170, %173 : tensor<1x2x24xf32>
    %175 = stablehlo.slice %174 [0:1, 0:2, 0:6] : (tensor<1x2x24xf32>) -> tensor<1x2x6xf32>
    %176 = stablehlo.slice %174 [0:1, 0:2, 6:12] : (tensor<1x2x24xf32>) -> tensor<1x2x6xf32>
    %177 = stablehlo.slice %174 [0:1, 0:2, 12:18] : (tensor<1x2x24xf32>) -> tensor<1x2x6xf32>
    %178 = stablehlo.slice %174 [0:1, 0:2, 18:24] : (tensor<1x2x24xf32>) -> tensor<1x2x6xf32>
    %179 = stablehlo.negate %175 : tensor<1x2x6xf32>
    %180 = stablehlo.exponential %179 : tensor<1x2x6xf32>
    %181 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x6xf32>
    %182 = stablehlo.add %181, %180 : tensor<1x2x6xf32>
    %183 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x6xf32>
    %184 = stablehlo.divide %183, %182 : tensor<1x2x6xf32>
    %185 = stablehlo.negate %176 : tensor<1x2x6xf32>
    %186 = stablehlo.exponential %185 : tensor<1x2x6xf32>
    %187 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x6xf32>
    %188 = stablehlo.add %187, %186 : tensor<1x2x6xf32>
    %189 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x6xf32>
    %190 = stablehlo.divide %189, %188 : tensor<1x2x6xf32>
    %191 = stablehlo.tanh %177 : tensor<1x2x6xf32>
    %192 = stablehlo.negate %178 : tensor<1x2x6xf32>
    %193 = stablehlo.exponential %192 : tensor<1x2x6xf32>
    %194 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x6xf32>
    %195 = stablehlo.add %194, %193 : tensor<1x2x6xf32>
    %196 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x6xf32>
    %197 = stablehlo.divide %196, %195 : tensor<1x2x6xf32>
    %198 = stablehlo.multiply %190, %157 : tensor<1x2x6xf32>
    %199 = stablehlo.multiply %184, %191 : tensor<1x2x6xf32>
    %200 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x6xf32>
    %201 = stablehlo.multiply %199, %200 : tensor<1x2x6xf32>
    %202 = stablehlo.add %198, %201 : tensor<1x2x6xf32>
    %203 = stablehlo.tanh %202 : tensor<1x2x6xf32>
    %204 = stablehlo.multiply %197, %203 : tensor<1x2x6xf32>
    %205 = stablehlo.reshape %204 : (tensor<1x2x6xf32>) -> tensor<2x6xf32>
    %206 = stablehlo.transpose %arg1, dims = [1, 0] : (tensor<24x6xf32>) -> tensor<6x24xf32>
    %207 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<24xf32>
    %208 = stablehlo.multiply %arg3, %207 : tensor<24xf32>
    %209 = stablehlo.dot_general %205, %206, contracting_dims = [1] x [0] : (tensor<2x6xf32>, tensor<6x24xf32>) -> tensor<2x24xf32>
    %210 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x24xf32>
    %211 = stablehlo.multiply %210, %209 : tensor<2x24xf32>
    %212 = stablehlo.broadcast_in_dim %208, dims = [1] : (tensor<24xf32>) -> tensor<1x24xf32>
    %213 = stablehlo.broadcast_in_dim %212, dims = [0, 1] : (tensor<1x24xf32>) -> tensor<2x24xf32>
    %214 = stablehlo.add %213, %211 : tensor<2x24xf32>
    %215 = stablehlo.reshape %214 : (tensor<2x24xf32>) -> tensor<1x2x24xf32>
    %216 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x24xf32>
    %217 = stablehlo.multiply %24, %216 : tensor<2x24xf32>
    %218 = stablehlo.broadcast_in_dim %217, dims = [1, 2] : (tensor<2x24xf32>) -> tensor<1x2x24xf32>
    %219 = stablehlo.add %215, %218 : tensor<1x2x24xf32>
    %220 = stablehlo.slice %219 [0:1, 0:2, 0:6] : (tensor<1x2x24xf32>) -> tensor<1x2x6xf32>
    %221 = stablehlo.slice %219 [0:1, 0:2, 6:12] : (tensor<1x2x24xf32>) -> tensor<1x2x6xf32>
    %222 = stablehlo.slice %219 [0:1, 0:2, 12:18] : (tensor<1x2x24xf32>) -> tensor<1x2x6xf32>
    %223 = stablehlo.slice %219 [0:1, 0:2, 18:24] : (tensor<1x2x24xf32>) -> tensor<1x2x6xf32>
    %224 = stablehlo.negate %220 : tensor<1x2x6xf32>
    %225 = stablehlo.exponential %224 : tensor<1x2x6xf32>
    %226 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x6xf32>
    %227 = stablehlo.add %226, %225 : tensor<1x2x6xf32>
    %228 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x6xf32>
    %229 = stablehlo.divide %228, %227 : tensor<1x2x6xf32>
    %230 = stablehlo.negate %221 : tensor<1x2x6xf32>
    %231 = stablehlo.exponential %230 : tensor<1x2x6xf32>
    %232 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x6xf32>
    %233 = stablehlo.add %232, %231 : tensor<1x2x6xf32>
    %234 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x6xf32>
    %235 = stablehlo.divide %234, %233 : tensor<1x2x6xf32>
    %236 = stablehlo.tanh %222 : tensor<1x2x6xf32>
    %237 = stablehlo.negate %223 : tensor<1x2x6xf32>
    %238 = stablehlo.exponential %237 : tensor<1x2x6xf32>
    %239 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x6xf32>
    %240 = stablehlo.add %239, %238 : tensor<1x2x6xf32>
    %241 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x6xf32>
    %242 = stablehlo.divide %241, %240 : tensor<1x2x6xf32>
    %243 = stablehlo.multiply %235, %202 : tensor<1x2x6xf32>
    %244 = stablehlo.multiply %229, %236 : tensor<1x2x6xf32>
    %245 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x6xf32>
    %246 = stablehlo.multiply %244, %245 : tensor<1x2x6xf32>
    %247 = stablehlo.add %243, %246 : tensor<1x2x6xf32>
    %248 = stablehlo.tanh %247 : tensor<1x2x6xf32>
    %249 = stablehlo.multiply %242, %248 : tensor<1x2x6xf32>
    %250 = stablehlo.concatenate %69, %114, %159, %204, %249, dim = 0 : (tensor<1x2x6xf32>, tensor<1x2x6xf32>, tensor<1x2x6xf32>, tensor<1x2x6xf32>, tensor<1x2x6xf32>) -> tensor<5x2x6xf32>
    %251 = stablehlo.transpose %250, dims = [1, 0, 2] : (tensor<5x2x6xf32>) -> tensor<2x5x6xf32>
    return %251 : tensor<2x5x6xf32>
  }
}

