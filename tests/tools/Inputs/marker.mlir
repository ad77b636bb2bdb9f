func.func @a() {
  return
}
// cut
func.func @b() {
  return
}
