package main

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
)

// Lockstep is told what this program believes of its lock. Without it, these functions do nothing. Copy this file into
// your program, and leave the calls in your code: docs/real-clients.md. The program is to be linked with
// CGO_ENABLED=1 go build -ldflags=-linkmode=external, or Lockstep can't load its library into it.
var lockstep = openLockstep()

type lockstepReport struct {
	mutex    sync.Mutex
	report   *os.File // nil: there is no Lockstep
	resource net.Conn
	answers  *bufio.Reader
}

func openLockstep() *lockstepReport {
	number, err := strconv.Atoi(os.Getenv("LOCKSTEP_REPORT"))
	if err != nil {
		return &lockstepReport{}
	}
	return &lockstepReport{report: os.NewFile(uintptr(number), "report")}
}

// Acquiring: I ask for the lock, and wait for the answer.
func (l *lockstepReport) Acquiring(name string) { l.say("ACQUIRING", name) }

// Acquired: I have it.
func (l *lockstepReport) Acquired(name string) { l.say("ACQUIRED", name) }

// AcquiredToken: I have it, with this fencing token.
func (l *lockstepReport) AcquiredToken(name string, token int64) { l.say("ACQUIRED", name, token) }

// AcquiredUntil: I have it until time.Now().UnixMilli() is so many.
func (l *lockstepReport) AcquiredUntil(name string, ms int64) { l.say("ACQUIRED", name, "-", ms) }

// Refused: I was not given it.
func (l *lockstepReport) Refused(name string) { l.say("REFUSED", name) }

// Released: I am about to give it back. To be called before the release is sent.
func (l *lockstepReport) Released(name string) { l.say("RELEASED", name) }

// Lost: I was told that it is no longer mine.
func (l *lockstepReport) Lost(name string) { l.say("LOST", name) }

// Read reads the protected resource: its version; 0 without Lockstep.
func (l *lockstepReport) Read() int64 {
	version, _ := l.ask("READ")
	return version
}

// Write writes the protected resource, as read in this version, with a fencing token if there is one; false where the
// resource refuses that.
func (l *lockstepReport) Write(version int64, token ...int64) bool {
	words := []string{"WRITE", strconv.FormatInt(version, 10)}
	for _, each := range token {
		words = append(words, strconv.FormatInt(each, 10))
	}
	_, accepted := l.ask(words...)
	return accepted
}

func (l *lockstepReport) say(words ...interface{}) {
	if l.report != nil {
		fmt.Fprintln(l.report, words...)
	}
}

func (l *lockstepReport) ask(words ...string) (int64, bool) {
	if l.report == nil {
		return 0, true
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	var err error
	if l.resource == nil {
		if l.resource, err = net.Dial("tcp", "resource:1"); err != nil {
			panic(err)
		}
		l.answers = bufio.NewReader(l.resource)
	}
	request := fmt.Sprintf("*%d\r\n", len(words))
	for _, word := range words {
		request += fmt.Sprintf("$%d\r\n%s\r\n", len(word), word)
	}
	if _, err = l.resource.Write([]byte(request)); err != nil {
		panic(err)
	}
	line, err := l.answers.ReadString('\n')
	if err != nil {
		panic(err)
	}
	number, err := strconv.ParseInt(strings.TrimSpace(line[1:]), 10, 64)
	return number, line[0] == ':' && err == nil
}
