package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"time"
)

const timeout = time.Second

// A small client of Redis. It finds the master among several hosts, as ROLE tells.
type redis struct {
	hosts   []string
	socket  net.Conn
	answers *bufio.Reader
}

// The answer in one line: a status, a number, a bulk string (empty: none), the first element of an array.
func (r *redis) ask(words ...string) (string, error) {
	if r.socket == nil {
		if err := r.connect(); err != nil {
			return "", err
		}
	}
	answer, err := r.exchange(words...)
	if err != nil {
		r.close()
	}
	return answer, err
}

func (r *redis) close() {
	if r.socket != nil {
		r.socket.Close()
	}
	r.socket = nil
}

func (r *redis) connect() error {
	for _, host := range r.hosts {
		socket, err := net.DialTimeout("tcp", host+":6379", timeout)
		if err != nil {
			fmt.Println(err)
			continue
		}
		r.socket, r.answers = socket, bufio.NewReader(socket)
		if role, err := r.exchange("ROLE"); err == nil && role == "master" {
			return nil
		}
		r.close()
	}
	return errors.New("none of the hosts is a master")
}

func (r *redis) exchange(words ...string) (string, error) {
	request := fmt.Sprintf("*%d\r\n", len(words))
	for _, word := range words {
		request += fmt.Sprintf("$%d\r\n%s\r\n", len(word), word)
	}
	r.socket.SetDeadline(time.Now().Add(timeout))
	if _, err := r.socket.Write([]byte(request)); err != nil {
		return "", err
	}
	return r.readAnswer()
}

func (r *redis) readAnswer() (string, error) {
	line, err := r.readLine()
	if err != nil {
		return "", err
	}
	rest := line[1:]
	switch line[0] {
	case '-':
		return "", errors.New(rest)
	case '$':
		if rest == "-1" {
			return "", nil
		}
		return r.readLine()
	case '*':
		first := ""
		count, _ := strconv.Atoi(rest)
		for i := 0; i < count; i++ {
			element, err := r.readAnswer()
			if err != nil {
				return "", err
			}
			if i == 0 {
				first = element
			}
		}
		return first, nil
	}
	return rest, nil
}

func (r *redis) readLine() (string, error) {
	line, err := r.answers.ReadString('\n')
	if err == nil && len(line) < 3 {
		err = io.ErrUnexpectedEOF
	}
	return strings.TrimRight(line, "\r\n"), err
}
