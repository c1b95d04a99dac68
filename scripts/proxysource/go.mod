module drvabi/proxysource

go 1.19
