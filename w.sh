work='
	for i in 1 2 3; do dd if=/dev/zero of=$1/large bs=4096 count=50 oflag=append conv=notrunc status=none; done &
	for i in 1 2 3 4 5; do echo $i >>$1/small; cat /nowhere /proc/version; done
	echo >/dev/full
	wait
	sleep 0.05'
