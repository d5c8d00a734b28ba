package dev.superstep.middleware;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.json.Json;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Known values and keys are found in every form, and wherever a stream is cut.
@Tag("C31")
class TextRedactorTest {
  private static final String VALUE = "correct horse/battery+staple ü9";
  private static final String PEM =
      "-----BEGIN RSA PRIVATE KEY-----\nMIIEow"
          + "Ab9/".repeat(100)
          + "\n-----END RSA PRIVATE KEY-----";
  private static final TextRedactor REDACTOR =
      TextRedactor.of(Secrets.all()).and(Secrets.values(List.of(VALUE, "pa55", "wort\"quote")));

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void a_known_value_is_found_in_each_form() {
    var bytes = VALUE.getBytes(StandardCharsets.UTF_8);
    var hex = HexFormat.of().formatHex(bytes);
    var url = URLEncoder.encode(VALUE, StandardCharsets.UTF_8);
    for (var form :
        List.of(
            VALUE,
            base64(VALUE),
            hex,
            hex.toUpperCase(java.util.Locale.ROOT),
            url,
            url.replace("+", "%20"),
            Base64.getUrlEncoder().encodeToString(bytes))) {
      assertThat(REDACTOR.text("a " + form + " b")).as(form).startsWith("a [redacted secret]");
    }
    assertThat(REDACTOR.text("pa55, spa55t")).isEqualTo("[redacted secret], s[redacted secret]t");
    assertThat(REDACTOR.text("{\"a\":\"wort\\\"quote\"}")).doesNotContain("quote");
  }

  @Test
  void a_known_value_is_found_in_the_middle_of_base64_and_over_its_line_breaks() {
    for (var before : List.of("", "u", "us", "user:", "user: ")) {
      var encoded = base64(before + VALUE + " and more");
      assertThat(REDACTOR.finds(encoded)).as(before).isTrue();
      var wrapped = encoded.replaceAll("(.{19})", "$1\n");
      assertThat(REDACTOR.finds(wrapped)).as(before).isTrue();
    }
  }

  @Test
  void fields_and_texts_of_json_are_redacted() {
    var json = Json.parse("{\"pa55\":[1,\"x " + VALUE + "\"]}");
    assertThat(REDACTOR.json(json).text())
        .isEqualTo("{\"[redacted secret]\":[1,\"x [redacted secret]\"]}");
  }

  @Test
  void a_stream_that_is_cut_anywhere_shows_what_the_whole_text_would() {
    var random = new Random(7);
    for (int i = 0; i < Integer.getInteger("redactor.cases", 100); i++) {
      var text = text(random);
      var whole = REDACTOR.text(text);
      assertThat(streamed(text, random)).isEqualTo(whole);
      assertThat(streamedBytes(text, random)).isEqualTo(whole);
      assertThat(whole).doesNotContain("battery", "MIIEow", "pa55");
    }
  }

  private static String text(Random random) {
    var parts =
        List.of(
            "plain words ",
            "日本語 ",
            "👩‍💻",
            "\n",
            "\r\n",
            " ",
            "key = ",
            "a/b+c ",
            VALUE,
            "pa5",
            "pa55 ",
            "correct horse ",
            "ghp_q7W3e9R1t5Y2u8Zkq7W3e9R1t5Y2u8Zk ",
            PEM,
            "-----BEGIN ",
            "api_key: ",
            "aws_secret_access_key = q7W3e9R1t5Y2u8Zkq7W3e9R1t5Y2u8Zkq7W3e9R1\n",
            " AKIAQ7W3E9R1T5Y2U8Q7 ",
            "Bearer abcdefghijklmnop1234 ",
            base64("x" + VALUE) + "\n",
            base64(VALUE).replaceAll("(.{11})", "$1\n"));
    var text = new StringBuilder();
    for (int n = 1 + random.nextInt(12); n > 0; n--) {
      text.append(parts.get(random.nextInt(parts.size())));
    }
    return text.toString();
  }

  private static String streamed(String text, Random random) {
    var stream = REDACTOR.stream();
    var out = new StringBuilder();
    for (int at = 0; at < text.length(); ) {
      int end = Math.min(text.length(), at + 1 + random.nextInt(60));
      out.append(stream.push(text.substring(at, end)));
      at = end;
    }
    return out.append(stream.finish()).toString();
  }

  private static String streamedBytes(String text, Random random) {
    var stream = REDACTOR.stream();
    var out = new StringBuilder();
    var bytes = text.getBytes(StandardCharsets.UTF_8);
    for (int at = 0; at < bytes.length; ) {
      int length = Math.min(bytes.length - at, 1 + random.nextInt(60));
      out.append(stream.push(bytes, at, length));
      at += length;
    }
    return out.append(stream.finish()).toString();
  }

  @Test
  void an_endless_word_or_key_is_neither_shown_nor_kept() {
    var stream = REDACTOR.stream();
    var out = new ArrayList<String>();
    out.add(stream.push("-----BEGIN RSA PRIVATE KEY-----\n"));
    for (int i = 0; i < 3000; i++) out.add(stream.push("Ab9/".repeat(16) + "\n"));
    out.add(stream.push("-----END RSA PRIVATE KEY-----\nafter"));
    out.add(stream.finish());
    assertThat(String.join("", out)).isEqualTo("[redacted private key]\nafter");

    var word = REDACTOR.stream();
    var shown = new StringBuilder();
    for (int i = 0; i < 300; i++) shown.append(word.push("x,".repeat(500)));
    assertThat(shown.length()).isGreaterThan(250_000);
    assertThat(shown.append(word.finish())).hasSize(300_000);
  }
}
