// Says what libraries of Go make owner ids of.
package main

import "C"

import (
	"fmt"
	"net"
	"os"
	"strings"
)

func main() {
	said := []string{}
	for _, path := range []string{"/etc/machine-id", "/var/lib/dbus/machine-id", "/proc/sys/kernel/random/boot_id",
		"/sys/class/net/eth0/address"} {
		text, err := os.ReadFile(path)
		if err == nil {
			said = append(said, path+"="+strings.TrimSpace(string(text)))
		}
	}
	interfaces, err := net.Interfaces()
	if err != nil {
		panic(err)
	}
	names := []string{}
	for _, each := range interfaces {
		names = append(names, each.Name)
		if each.Flags&net.FlagLoopback != 0 {
			continue
		}
		addresses, err := each.Addrs()
		if err != nil || len(addresses) != 1 {
			panic(fmt.Sprint(addresses, err))
		}
		said = append(said, each.Name+"-mac="+each.HardwareAddr.String(),
			each.Name+"-ip="+addresses[0].(*net.IPNet).IP.String())
	}
	said = append(said, "same-interfaces="+strings.Join(names, "+"))
	redis, err := net.Dial("tcp", "localhost:6379")
	if err != nil {
		panic(err)
	}
	fmt.Fprintf(redis, "SET who %s\r\n", strings.Join(said, ","))
	redis.Read(make([]byte, 64))
}
