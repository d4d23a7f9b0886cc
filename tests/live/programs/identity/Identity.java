// Says what libraries of Java make owner ids of.
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;

public final class Identity {
  public static void main(String[] arguments) throws Exception {
    List<String> said = new ArrayList<>();
    for (String name : List.of("/etc/machine-id", "/var/lib/dbus/machine-id",
        "/proc/sys/kernel/random/boot_id", "/sys/class/net/eth0/address")) {
      Path path = Path.of(name);
      if (Files.exists(path)) said.add(name + "=" + Files.readString(path).trim());
    }
    List<String> names = new ArrayList<>();
    for (NetworkInterface each : Collections.list(NetworkInterface.getNetworkInterfaces())) {
      names.add(each.getName());
      if (each.isLoopback()) continue;
      said.add(each.getName() + "-mac=" + HexFormat.ofDelimiter(":").formatHex(each.getHardwareAddress()));
      said.add(each.getName() + "-ip=" + each.getInterfaceAddresses().get(0).getAddress().getHostAddress());
    }
    Collections.sort(names, Collections.reverseOrder());
    said.add("same-interfaces=" + String.join("+", names));
    said.add("local=" + InetAddress.getLocalHost());
    said.add("startInstant=" + ProcessHandle.current().info().startInstant().get());
    said.add("nanoTime=" + System.nanoTime());
    try (Socket redis = new Socket("localhost", 6379)) {
      redis.getOutputStream().write(("SET who " + String.join(",", said) + "\r\n").getBytes());
      redis.getInputStream().read();
    }
  }
}
