package dev.superstep.mcp.oauth;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/// Waits on a port of this machine for the browser that comes back.
final class LoopbackConsent implements McpConsent {
  private static final Duration MOST = Duration.ofMinutes(5);
  private static final int LINE_MAX = 8_000;
  private static final Pattern REQUEST = Pattern.compile("GET (/callback\\?[!-~]+) HTTP/1\\.[01]");
  private static final String PAGE = "You can close this page and go back to your program.\n";

  private final Consumer<URI> show;
  private final int port;

  LoopbackConsent(Consumer<URI> show) {
    this.show = show;
    try (var free = new ServerSocket(0, 1, here())) {
      this.port = free.getLocalPort();
    } catch (IOException e) {
      throw new OAuthFailed("no port is free on this machine.", e);
    }
  }

  private static InetAddress here() throws IOException {
    return InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
  }

  @Override
  public URI redirect() {
    return URI.create("http://127.0.0.1:" + port + "/callback");
  }

  @Override
  public URI visit(URI page) throws InterruptedException {
    long deadline = System.nanoTime() + MOST.toNanos();
    try (var waiting = new ServerSocket(port, 5, here())) {
      show.accept(page);
      waiting.setSoTimeout(500);
      while (System.nanoTime() < deadline) {
        if (Thread.interrupted()) throw new InterruptedException("nobody waits for the consent");
        try (var browser = waiting.accept()) {
          var came = answered(browser);
          if (!came.isEmpty()) return redirect().resolve(came);
        } catch (SocketTimeoutException _) {
          // look whether anybody still waits
        }
      }
    } catch (IOException e) {
      throw new OAuthFailed("the port " + port + " cannot be used.", e);
    }
    throw new OAuthFailed("nobody agreed within " + MOST.toMinutes() + " minutes.");
  }

  /// Reads one request; others than that of the browser that comes back are refused.
  private static String answered(Socket browser) throws IOException {
    browser.setSoTimeout(5_000);
    var in =
        new BufferedReader(
            new InputStreamReader(browser.getInputStream(), StandardCharsets.ISO_8859_1));
    var line = new StringBuilder();
    for (int c = in.read(); c >= 0 && c != '\r' && c != '\n'; c = in.read()) {
      if (line.length() == LINE_MAX) return "";
      line.append((char) c);
    }
    var request = REQUEST.matcher(line);
    boolean isOurs = request.matches();
    var head =
        "HTTP/1.1 %s\r\nContent-Type: text/plain\r\nContent-Length: %d\r\nConnection: close\r\n\r\n"
            .formatted(isOurs ? "200 OK" : "404 Not Found", isOurs ? PAGE.length() : 0);
    var text = isOurs ? head + PAGE : head;
    browser.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    browser.getOutputStream().flush();
    return isOurs ? request.group(1) : "";
  }
}
