package dev.superstep.server.internal.webhook;

import dev.superstep.server.options.WebhookOptions;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// The headers of a webhook as Standard Webhooks has them: its id, which is the same at each
/// attempt, the time of the attempt, and a signature over these and the body.
final class Signature {
  private static final String ALGORITHM = "HmacSHA256";

  private Signature() {}

  static Map<String, String> headers(List<String> secrets, String id, Instant time, byte[] body) {
    long seconds = time.getEpochSecond();
    var headers = new LinkedHashMap<String, String>();
    headers.put("webhook-id", id);
    headers.put("webhook-timestamp", Long.toString(seconds));
    if (secrets.isEmpty()) return headers;
    var content = content(id + "." + seconds + ".", body);
    var signatures =
        secrets.stream()
            .map(secret -> "v1," + sign(WebhookOptions.key(secret), content))
            .collect(Collectors.joining(" "));
    headers.put("webhook-signature", signatures);
    return headers;
  }

  private static byte[] content(String before, byte[] body) {
    var content = new ByteArrayOutputStream();
    content.writeBytes(before.getBytes(StandardCharsets.UTF_8));
    content.writeBytes(body);
    return content.toByteArray();
  }

  private static String sign(byte[] key, byte[] content) {
    try {
      var mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key, ALGORITHM));
      return Base64.getEncoder().encodeToString(mac.doFinal(content));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
