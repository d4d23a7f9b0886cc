import java.io.*;
import java.net.*;
import java.util.*;
import java.util.concurrent.*;

/** Two threads that want one lock, and a scheduled task that renews it. */
public class Worker {
  static InputStream in;
  static OutputStream out;

  static synchronized String call(String... words) throws IOException {
    StringBuilder text = new StringBuilder("*" + words.length + "\r\n");
    for (String word : words) text.append("$" + word.length() + "\r\n" + word + "\r\n");
    out.write(text.toString().getBytes());
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) throw new EOFException();
      if (c != '\r') line.append((char) c);
    }
    return line.toString();
  }

  static void work(int number, ScheduledExecutorService pool) throws Exception {
    for (int round = 0; round < 2; ++round) {
      String token = UUID.randomUUID().toString();
      while (!call("SET", "job", token, "NX", "PX", "5000").equals("+OK")) Thread.sleep(100);
      System.out.println(number + " " + token + " " + System.currentTimeMillis() + " " + System.nanoTime());
      ScheduledFuture<?> renewal = pool.scheduleAtFixedRate(() -> {
        try {
          call("PEXPIRE", "job", "5000");
        } catch (IOException error) {
          System.out.println(error);
        }
      }, 700, 700, TimeUnit.MILLISECONDS);
      Thread.sleep(1000 + ThreadLocalRandom.current().nextInt(1000));
      renewal.cancel(true);
      System.out.println(number + " " + call("EVAL", "release", "1", "job", token));
    }
  }

  public static void main(String[] words) throws Exception {
    Socket server = new Socket("redis-1", 6379);
    server.setTcpNoDelay(true);
    server.setSoTimeout(30000);
    in = server.getInputStream();
    out = server.getOutputStream();
    ScheduledExecutorService pool = Executors.newScheduledThreadPool(2);
    System.out.println(ProcessHandle.current().pid() + " " + Math.random() + " " + new Object().hashCode());
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 2; ++i) {
      int number = i;
      threads.add(new Thread(() -> {
        try {
          work(number, pool);
        } catch (Exception error) {
          System.out.println(error);
        }
      }));
    }
    for (Thread thread : threads) thread.start();
    for (Thread thread : threads) thread.join();
    pool.shutdown();
    server.close();
  }
}
