import java.io.IOException;
import java.util.UUID;

/** A worker that does its work under a lock of its own: SET NX PX, and a release that compares. */
public final class Worker {
  private static final String RELEASE =
      "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end";

  public static void main(String[] args) throws Exception {
    String lease = setting("LEASE", "10000");
    long work = Long.parseLong(setting("WORK", "2000"));
    int rounds = Integer.parseInt(setting("ROUNDS", "2"));
    try (Redis redis = new Redis(setting("HOSTS", "localhost").split(" "))) {
      for (int done = 0; done < rounds; ) {
        try {
          Lockstep.acquiring("orders");
          // Not before: what is drawn before the first report all forks have in common.
          String token = UUID.randomUUID().toString();
          while (redis.ask("SET", "orders", token, "NX", "PX", lease) == null) Thread.sleep(100);
          Lockstep.acquired("orders");
          done += 1;
          long version = Lockstep.read();
          Thread.sleep(work);
          Lockstep.write(version);
          Lockstep.released("orders");
          redis.ask("EVAL", RELEASE, "1", "orders", token);
        } catch (IOException error) {
          System.out.println("failed: " + error.getMessage());
        }
        Thread.sleep(500);
      }
    }
  }

  private static String setting(String name, String otherwise) {
    String value = System.getenv(name);
    return value == null ? otherwise : value;
  }
}
