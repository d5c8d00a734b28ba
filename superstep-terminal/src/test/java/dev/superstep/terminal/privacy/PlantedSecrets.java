package dev.superstep.terminal.privacy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.middleware.TextRedactor;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/// Sixty keys that are planted into whatever passes through a terminal, and the search for what is
/// left of them. Half are values of variables, half look like keys of services.
public final class PlantedSecrets {
  private static final List<String> BEGINNINGS =
      List.of(
          "sk-proj-",
          "ghp_",
          "glpat-",
          "xoxb-1234567890-",
          "AKIA",
          "hf_",
          "npm_",
          "gsk_",
          "github_pat_",
          "AIza",
          "pplx-",
          "dop_v1_",
          "sk_live_",
          "whsec_",
          "rk_live_");
  private static final String LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";

  private final Map<String, String> variables = new LinkedHashMap<>();
  private final List<String> all = new ArrayList<>();

  /// The same keys for the same seed.
  public PlantedSecrets(long seed) {
    var random = new Random(seed);
    for (int i = 0; i < 30; i++) {
      var value = letters(random, 9) + (i % 3 == 0 ? " /" : "-") + letters(random, 9) + "ü";
      variables.put("PLANTED_" + i, value);
      all.add(value);
    }
    for (int i = 0; i < 30; i++) {
      var beginning = BEGINNINGS.get(i % BEGINNINGS.size());
      var key =
          switch (beginning) {
            case "AKIA" -> beginning + letters(random, 16);
            case "dop_v1_" ->
                beginning
                    + HexFormat.of()
                        .formatHex(letters(random, 32).getBytes(StandardCharsets.UTF_8));
            case String _ -> beginning + letters(random, 36);
          };
      all.add(key);
    }
  }

  private static String letters(Random random, int length) {
    var text = new StringBuilder();
    while (text.length() < length) text.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
    return text.toString();
  }

  /// The variables of which half of them are the values.
  public Map<String, String> variables() {
    return variables;
  }

  public List<String> all() {
    return all;
  }

  /// What hides them.
  public TextRedactor redactor() {
    return SecretSources.of(variables).redactor();
  }

  /// Checks that a text has none of them, also not encoded.
  ///
  /// @param channel for the message
  public void assertAbsent(String channel, String text) {
    for (var secret : all) {
      var bytes = secret.getBytes(StandardCharsets.UTF_8);
      assertThat(text)
          .as(channel)
          .doesNotContain(secret)
          .doesNotContain(Base64.getEncoder().encodeToString(bytes))
          .doesNotContain(HexFormat.of().formatHex(bytes));
      assertThat(text).as(channel).doesNotContain(secret.substring(secret.length() - 9));
    }
  }
}
