package dev.superstep.server.extension;

import dev.superstep.json.Json;
import dev.superstep.server.internal.net.OutboundHttp;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// A webhook for the runs of a topic. Immutable.
///
/// @param id unique within the topic
/// @param url of the receiver, of HTTP or HTTPS; addresses that are not public are refused when it
///   is called
/// @param headers of each call, beside those of signatures; `Content-Type` is `application/json` if
///   it is not given
/// @param settings what the extension keeps with it
public record Subscription(String id, String url, Map<String, String> headers, Json settings) {
  private static final int URL_MAX = 4_096;
  private static final int HEADER_MAX = 4_096;
  private static final Set<String> RESERVED =
      Collections.unmodifiableSet(
          reserved(
              "host",
              "content-length",
              "connection",
              "transfer-encoding",
              "webhook-id",
              "webhook-timestamp",
              "webhook-signature"));

  /// @throws IllegalArgumentException if the URL can never be called, or a header is one that the
  ///   server sets, or no proper one
  public Subscription {
    if (url.length() > URL_MAX) {
      throw new IllegalArgumentException("it must have at most " + URL_MAX + " characters");
    }
    OutboundHttp.check(url);
    headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
    headers.forEach(Subscription::check);
  }

  private static Set<String> reserved(String... names) {
    var all = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    Collections.addAll(all, names);
    return all;
  }

  private static void check(String name, String value) {
    boolean isName = name.matches("[A-Za-z0-9-]{1,100}") && !RESERVED.contains(name);
    if (!isName) throw new IllegalArgumentException("a webhook cannot have the header " + name);
    if (isValue(value)) return;
    throw new IllegalArgumentException(
        "the header %s must have at most %d printable characters of ASCII"
            .formatted(name, HEADER_MAX));
  }

  /// Returns true if a text can be the value of a header: at most 4,096 printable characters of
  /// ASCII.
  public static boolean isValue(String text) {
    return text.length() <= HEADER_MAX && text.chars().allMatch(c -> c >= ' ' && c < 0x7f);
  }

  /// Leaves out the values of headers and the settings, which may be secrets.
  @Override
  public String toString() {
    return "Subscription[" + id + ", " + url + ", headers " + headers.keySet() + "]";
  }
}
