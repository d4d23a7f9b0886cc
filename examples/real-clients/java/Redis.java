import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A small client of Redis over the JDK's sockets. It finds the master among several hosts, as ROLE tells. */
final class Redis implements Closeable {
  private static final int TIMEOUT_MS = 1000;

  private final String[] hosts;
  private Socket socket;

  Redis(String... hosts) {
    this.hosts = hosts;
  }

  /** The answer in one line: a status, a number, a bulk string (null: none), the first element of an array. */
  String ask(String... words) throws IOException {
    if (socket == null) connect();
    try {
      return exchange(words);
    } catch (IOException error) {
      close();
      throw error;
    }
  }

  @Override
  public void close() throws IOException {
    if (socket != null) socket.close();
    socket = null;
  }

  private void connect() throws IOException {
    for (String host : hosts) {
      try {
        socket = new Socket();
        socket.connect(new InetSocketAddress(host, 6379), TIMEOUT_MS);
        socket.setSoTimeout(TIMEOUT_MS);
        socket.setTcpNoDelay(true);
        if (exchange("ROLE").equals("master")) return;
      } catch (IOException error) {
        System.out.println(host + ": " + error.getMessage());
      }
      close();
    }
    throw new IOException("none of the hosts is a master");
  }

  private String exchange(String... words) throws IOException {
    StringBuilder request = new StringBuilder("*" + words.length + "\r\n");
    for (String word : words) request.append("$" + word.length() + "\r\n" + word + "\r\n");
    socket.getOutputStream().write(request.toString().getBytes(StandardCharsets.UTF_8));
    return readAnswer();
  }

  private String readAnswer() throws IOException {
    String line = readLine();
    String rest = line.substring(1);
    switch (line.charAt(0)) {
      case '-':
        throw new IOException(rest);
      case '$':
        return rest.equals("-1") ? null : readLine();
      case '*':
        String first = null;
        for (int i = 0; i < Integer.parseInt(rest); ++i) {
          String element = readAnswer();
          if (i == 0) first = element;
        }
        return first;
      default:
        return rest;
    }
  }

  private String readLine() throws IOException {
    InputStream in = socket.getInputStream();
    StringBuilder line = new StringBuilder();
    for (int each; (each = in.read()) != '\n'; ) {
      if (each < 0) throw new EOFException("the server has closed the connection");
      if (each != '\r') line.append((char) each);
    }
    return line.toString();
  }
}
