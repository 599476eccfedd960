import java.io.FileInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.HexFormat;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Java's HttpClient: arguments are the file of requests, the version, the base and the CA's file. */
public class JavaBatch {
  public static void main(String[] args) throws Exception {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    store.setCertificateEntry(
        "ca", CertificateFactory.getInstance("X.509").generateCertificate(new FileInputStream(args[3])));
    TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    HttpClient client =
        HttpClient.newBuilder()
            .sslContext(context)
            .version(args[1].equals("2") ? HttpClient.Version.HTTP_2 : HttpClient.Version.HTTP_1_1)
            .build();
    for (String line : Files.readAllLines(Path.of(args[0]))) {
      System.out.println(send(client, args[2], line.split("\t")));
    }
    System.exit(0);
  }

  static String send(HttpClient client, String base, String[] parts) {
    try {
      var builder =
          HttpRequest.newBuilder(URI.create(base + parts[1]))
              .timeout(Duration.ofSeconds(60))
              .method(
                  parts[0],
                  parts[2].equals("-")
                      ? BodyPublishers.noBody()
                      : BodyPublishers.ofByteArray(new byte[Integer.parseInt(parts[2])]));
      for (int at = 3; at < parts.length; at++) {
        String[] field = parts[at].split(": ", 2);
        builder.header(field[0], field[1]);
      }
      var response = client.send(builder.build(), BodyHandlers.ofByteArray());
      byte[] sum = MessageDigest.getInstance("SHA-256").digest(response.body());
      String hex = HexFormat.of().formatHex(sum).substring(0, 8);
      return response.statusCode() + " " + response.body().length + " " + hex;
    } catch (Exception error) {
      return ("failed: " + error.getMessage()).replace('\n', ' ');
    }
  }
}
