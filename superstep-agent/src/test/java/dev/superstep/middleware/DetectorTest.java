package dev.superstep.middleware;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class DetectorTest {
  private static List<String> found(Detector detector, String text) {
    return detector.in(text).stream().map(s -> text.substring(s.from(), s.to())).toList();
  }

  @Test
  @Tag("T45")
  void addresses_of_mail_are_found() {
    var text =
        "Write to <ann.lee+x@mail.example.co.uk>, or bob@example.org. Not a@b, @x.org, c@.de";
    assertThat(found(Pii.email(), text))
        .containsExactly("ann.lee+x@mail.example.co.uk", "bob@example.org");
    assertThat(found(Pii.email(), "jörg@müller.de")).containsExactly("jörg@müller.de");
  }

  @Test
  @Tag("T45")
  void numbers_of_cards_are_found_by_their_check_digit() {
    assertThat(found(Pii.creditCard(), "4111 1111 1111 1111, 5500-0055-5555-5559."))
        .containsExactly("4111 1111 1111 1111", "5500-0055-5555-5559");
    assertThat(found(Pii.creditCard(), "order 12 4111 1111 1111 1111 35"))
        .containsExactly("4111 1111 1111 1111");
    assertThat(found(Pii.creditCard(), "x378282246310005x")).containsExactly("378282246310005");
    assertThat(found(Pii.creditCard(), "4111 1111 1111 1112")).isEmpty();
    assertThat(found(Pii.creditCard(), "1234567812345670 and 20260102030405")).isEmpty();
    assertThat(found(Pii.creditCard(), "41111111111111110000000")).isEmpty();
  }

  @Test
  @Tag("T45")
  void addresses_of_machines_are_found() {
    var text = "192.168.0.1 to 8.8.8.8, version 1.2.3.4.5, 999.1.1.1 and 1.2.3";
    assertThat(found(Pii.ipAddress(), text)).containsExactly("192.168.0.1", "8.8.8.8");
    var six = "fe80::1, 2001:db8:0:0:1:0:0:1 and ::ffff:192.0.2.128 but 12:34:56, a::b::c or 1::x";
    assertThat(found(Pii.ipAddress(), six))
        .contains("fe80::1", "2001:db8:0:0:1:0:0:1", "::ffff:192.0.2.128")
        .doesNotContain("12:34:56", "a::b::c", "1::x");
    assertThat(found(Pii.ipAddress(), "std::vector :: Foo::Bar")).isEmpty();
    assertThat(found(Pii.macAddress(), "00:1B:44:11:3A:B7 0a-1b-2c-3d-4e-5f 001b.4411.3ab7"))
        .containsExactly("00:1B:44:11:3A:B7", "0a-1b-2c-3d-4e-5f", "001b.4411.3ab7");
    assertThat(found(Pii.macAddress(), "00:1B:44:11:3A 00:1B-44:11:3A:B7")).isEmpty();
  }

  @Test
  @Tag("T45")
  void addresses_of_pages_and_accounts_are_found() {
    assertThat(found(Pii.url(), "See https://example.org/a?b=c#d, (www.example.com). no://x"))
        .containsExactly("https://example.org/a?b=c#d", "www.example.com");
    assertThat(found(Pii.iban(), "Pay DE89 3704 0044 0532 0130 00 NOW or GB82WEST12345698765432."))
        .containsExactly("DE89 3704 0044 0532 0130 00", "GB82WEST12345698765432");
    assertThat(found(Pii.iban(), "DE89370400440532013001")).isEmpty();
  }

  @Test
  @Tag("T45")
  void secrets_are_found_by_how_they_look() {
    var keys =
        "key=sk-proj-abcdefghij0123456789, ghp_0123456789abcdefghijABCDEFGHIJ012345 task-sk-x";
    assertThat(found(Secrets.apiKeys(), keys))
        .containsExactly(
            "sk-proj-abcdefghij0123456789", "ghp_0123456789abcdefghijABCDEFGHIJ012345");
    assertThat(found(Secrets.tokens(), "Authorization: Bearer abc.DEF-123_456~789"))
        .containsExactly("abc.DEF-123_456~789");
    assertThat(found(Secrets.tokens(), "the bearer of this letter")).isEmpty();
    var jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl";
    assertThat(found(Secrets.tokens(), "t=" + jwt + " end")).containsExactly(jwt);
    var aws = "AKIAIOSFODNN7EXAMPLE aws_secret_access_key = " + "wJalrXUtnF".repeat(4);
    assertThat(found(Secrets.awsKeys(), aws))
        .containsExactly("AKIAIOSFODNN7EXAMPLE", "wJalrXUtnF".repeat(4));
    var pem = "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----";
    assertThat(found(Secrets.privateKeys(), "a " + pem + " b")).containsExactly(pem);
    assertThat(found(Secrets.privateKeys(), "-----BEGIN PRIVATE KEY-----\nMIIE cut off"))
        .hasSize(1);
    assertThat(found(Secrets.privateKeys(), "-----BEGIN CERTIFICATE-----\nMIIE")).isEmpty();
    assertThat(found(Secrets.of("hunter22"), "it is hunter22!")).containsExactly("hunter22");
    assertThatThrownBy(() -> Secrets.of("abc")).hasMessageContaining("at least 6 characters");
    assertThatThrownBy(Secrets::of).hasMessageContaining("must hold one");
  }

  @Test
  void a_user_defined_pattern_finds_its_matches() {
    var orders = Detector.matching("order number", "A-\\d{4}");
    assertThat(found(orders, "A-1234 and A-12")).containsExactly("A-1234");
    assertThat(found(Detector.matching("nothing", "x*"), "abc")).isEmpty();
    assertThatThrownBy(() -> Detector.matching(" ", "x")).hasMessageStartingWith("name");
  }

  @Test
  void a_pattern_that_would_take_for_ever_is_stopped() {
    var slow = Detector.matching("word", "a*a*a*a*a*a*b");
    assertThatThrownBy(() -> slow.in("a".repeat(200)))
        .isInstanceOf(PatternTooSlow.class)
        .hasMessageContaining("`word` takes too long on a text of 200 characters");
    var deep = Detector.matching("deep", "(?:a|b)*c");
    assertThatThrownBy(() -> deep.in("ab".repeat(1_000_000))).isInstanceOf(PatternTooSlow.class);
  }

  /// The detectors of their own count their looks like those of users, so that this fails for one
  /// that could be slow, on any machine.
  @Test
  void no_text_makes_a_detector_slow() {
    var pieces =
        List.of(
            "a",
            "@",
            ".",
            "-",
            ":",
            "::",
            "1",
            "41",
            "4111 ",
            "aws",
            "secret",
            "key",
            "=",
            "sk-",
            "eyJ",
            "bearer ",
            "DE89",
            " ",
            "A",
            "-----BEGIN ",
            "PRIVATE KEY-----",
            "http://",
            "www.",
            "_",
            "/",
            "\n",
            "é",
            "AKIA",
            "0:",
            "\"");
    var detectors = Stream.of(Pii.all(), Secrets.all()).flatMap(Stream::of).toList();
    for (var piece : pieces) {
      for (var other : pieces) {
        var text = (piece + other).repeat(piece.equals(other) ? 20_000 : 300);
        for (var detector : detectors) checkSpans(detector, text);
      }
    }
    var random = new SplittableRandom(7);
    for (int run = 0; run < 300; run++) {
      var text = new StringBuilder();
      int length = random.nextInt(400);
      for (int i = 0; i < length; i++) text.append(pieces.get(random.nextInt(pieces.size())));
      for (var detector : detectors) checkSpans(detector, text.toString());
    }
  }

  private static void checkSpans(Detector detector, String text) {
    for (var span : detector.in(text)) {
      assertThat(span.from()).isBetween(0, text.length() - 1);
      assertThat(span.to()).isBetween(span.from() + 1, text.length());
    }
  }
}
