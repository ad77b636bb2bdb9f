// analyze-mesh
tessera.mesh @mesh = <["data"=2]>
func.func @main() {
  return
}
