/// Runs the checks of every form; a test puts the calls here.
func check(_ checks: inout Checks) {}
