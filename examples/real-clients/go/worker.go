// A worker that does its work under a lock of its own: SET NX PX, and a release that compares.
package main

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

const release = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end"

func setting(name, otherwise string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return otherwise
}

func work(client *redis, milliseconds time.Duration) error {
	random := make([]byte, 16)
	rand.Read(random)
	token := hex.EncodeToString(random)
	lockstep.Acquiring("orders")
	for {
		answer, err := client.ask("SET", "orders", token, "NX", "PX", setting("LEASE", "10000"))
		if err != nil {
			return err
		}
		if answer == "OK" {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	lockstep.Acquired("orders")
	version := lockstep.Read()
	time.Sleep(milliseconds * time.Millisecond)
	lockstep.Write(version)
	lockstep.Released("orders")
	_, err := client.ask("EVAL", release, "1", "orders", token)
	return err
}

func main() {
	milliseconds, _ := strconv.Atoi(setting("WORK", "2000"))
	rounds, _ := strconv.Atoi(setting("ROUNDS", "2"))
	client := &redis{hosts: strings.Fields(setting("HOSTS", "localhost"))}
	for done := 0; done < rounds; time.Sleep(500 * time.Millisecond) {
		if err := work(client, time.Duration(milliseconds)); err != nil {
			fmt.Println("failed:", err)
			continue
		}
		done++
	}
	client.close()
}
