module drvabi/nvproxy-patch

go 1.19

require drvabi/proxysource v0.0.0

replace drvabi/proxysource => ../proxysource
