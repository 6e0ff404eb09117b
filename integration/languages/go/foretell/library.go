//go:build foretell_library

package foretell

import "C"
import "unsafe"

//export foretell_service_abi
func foretell_service_abi() C.uint { return 1 }

//export foretell_service_call
func foretell_service_call(op C.uint, in unsafe.Pointer, size C.size_t, out unsafe.Pointer, room C.size_t) C.longlong {
	code, reply := Answer(uint32(op), unsafe.Slice((*byte)(in), int(size)))
	if target := unsafe.Slice((*byte)(out), int(room)); code == 0 && len(reply) <= len(target) {
		copy(target, reply)
	} else if code != 0 && len(target) > 0 {
		target[copy(target[:len(target)-1], reply)] = 0
		return C.longlong(code)
	}
	return C.longlong(len(reply))
}
