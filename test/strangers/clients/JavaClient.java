import java.io.FileInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Java's HttpClient: arguments are the URL, the CA's file, the method, the bytes to upload and the version. */
public class JavaClient {
  public static void main(String[] args) throws Exception {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    store.setCertificateEntry(
        "ca", CertificateFactory.getInstance("X.509").generateCertificate(new FileInputStream(args[1])));
    TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    HttpClient client =
        HttpClient.newBuilder()
            .sslContext(context)
            .version(args[4].equals("2") ? HttpClient.Version.HTTP_2 : HttpClient.Version.HTTP_1_1)
            .build();
    int size = Integer.parseInt(args[3]);
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(args[0]))
            .timeout(Duration.ofSeconds(20))
            .method(args[2], size > 0 ? BodyPublishers.ofByteArray(new byte[size]) : BodyPublishers.noBody())
            .build();
    try {
      var response = client.send(request, BodyHandlers.ofString());
      System.out.println((response.statusCode() + " " + response.body()).trim());
    } catch (Exception error) {
      System.out.println("failed: " + error.getMessage());
    }
    System.exit(0);
  }
}
