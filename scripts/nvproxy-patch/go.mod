module drvabi/nvproxy-patch

go 1.19
