// ttnn-layout,convert-ttnn-to-emitc
func.func @main() {
  return
}
