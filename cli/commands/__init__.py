"""One module a command or group of commands, loaded when it is called."""
