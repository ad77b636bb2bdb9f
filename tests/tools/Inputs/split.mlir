func.func @a() {
  return
}

// -----

func.func @b() {  "func.return"(%x) : (i32) -> ()
}

// -----

func.func @c() {
  return
}
