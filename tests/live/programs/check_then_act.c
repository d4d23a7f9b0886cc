// Looks whether the lock is free, and takes it then: two commands, between which another client may do the same.
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int server;

// The first character of the reply's text, after its type.
static char ask(const char *command) {
  char reply[64];
  if (write(server, command, strlen(command)) < 0 || read(server, reply, sizeof reply) <= 1) exit(1);
  return reply[1];
}

static void say(const char *line) {
  const char *report = getenv("LOCKSTEP_REPORT");
  if (report != NULL && write(atoi(report), line, strlen(line)) < 0) exit(1);
}

int main(void) {
  struct addrinfo *found;
  if (getaddrinfo("localhost", "6379", NULL, &found) != 0) return 1;
  server = socket(found->ai_family, SOCK_STREAM, 0);
  if (connect(server, found->ai_addr, found->ai_addrlen) != 0) return 1;
  say("ACQUIRING orders\n");
  if (ask("EXISTS orders\r\n") == '1') {
    say("REFUSED orders\n");
    return 0;
  }
  ask("SET orders mine PX 10000\r\n");
  say("ACQUIRED orders\n");
  usleep(100000);
  say("RELEASED orders\n");
  ask("DEL orders\r\n");
  return 0;
}
