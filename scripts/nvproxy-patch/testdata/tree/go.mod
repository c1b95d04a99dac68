module gvisor.dev/gvisor

go 1.19
