import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;

/**
 * Tells Lockstep what this program believes of its lock. Without Lockstep it does nothing.
 *
 * <p>Copy this file into your program, and leave the calls in your code: docs/real-clients.md.
 */
public final class Lockstep {
  private static final OutputStream report = openReport();
  private static Socket resource;

  private Lockstep() {}

  /** I ask for the lock, and wait for the answer. */
  public static void acquiring(String name) {
    say("ACQUIRING " + name);
  }

  /** I have it. */
  public static void acquired(String name) {
    say("ACQUIRED " + name);
  }

  /** I have it, with this fencing token. */
  public static void acquired(String name, long token) {
    say("ACQUIRED " + name + " " + token);
  }

  /** I have it until System.currentTimeMillis() is so many. */
  public static void acquiredUntil(String name, long validUntilMillis) {
    say("ACQUIRED " + name + " - " + validUntilMillis);
  }

  /** I was not given it. */
  public static void refused(String name) {
    say("REFUSED " + name);
  }

  /** I am about to give it back: to be called before the release is sent. */
  public static void released(String name) {
    say("RELEASED " + name);
  }

  /** I was told that it is no longer mine. */
  public static void lost(String name) {
    say("LOST " + name);
  }

  /** Reads the protected resource: its version; 0 without Lockstep. */
  public static long read() {
    return report == null ? 0 : ask("READ").orElseThrow();
  }

  /** Writes the protected resource, as read in this version. */
  public static void write(long version) {
    if (report != null) ask("WRITE", String.valueOf(version));
  }

  /** The same with a fencing token; false where the resource refuses it. */
  public static boolean write(long version, long token) {
    return report == null || ask("WRITE", String.valueOf(version), String.valueOf(token)).isPresent();
  }

  private static OutputStream openReport() {
    String number = System.getenv("LOCKSTEP_REPORT");
    if (number == null) return null;
    try {
      return new FileOutputStream("/proc/self/fd/" + number);
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }

  private static synchronized void say(String line) {
    if (report == null) return;
    try {
      report.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }

  private static synchronized OptionalLong ask(String... words) {
    try {
      if (resource == null) {
        resource = new Socket("resource", 1);
        resource.setTcpNoDelay(true);
      }
      StringBuilder request = new StringBuilder("*" + words.length + "\r\n");
      for (String word : words) request.append("$" + word.length() + "\r\n" + word + "\r\n");
      resource.getOutputStream().write(request.toString().getBytes(StandardCharsets.UTF_8));
      StringBuilder line = new StringBuilder();
      InputStream answer = resource.getInputStream();
      for (int each; (each = answer.read()) != '\n'; ) {
        if (each < 0) throw new IOException("the resource has closed the connection");
        line.append((char) each);
      }
      String text = line.toString().trim();
      return text.startsWith(":") ? OptionalLong.of(Long.parseLong(text.substring(1))) : OptionalLong.empty();
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }
}
