package dev.superstep.terminal.privacy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.json.Json;
import dev.superstep.terminal.policy.CommandRules;
import dev.superstep.terminal.policy.PolicyExplanation;
import dev.superstep.terminal.policy.Scope;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Sixty planted keys pass through every form in which texts leave a terminal, and none arrives.
@Tag("C31")
class SecretChannelsTest {
  private static final PlantedSecrets PLANTED = new PlantedSecrets(1);

  @TempDir Path folder;

  @Test
  void outputs_in_pieces_have_none() {
    var random = new Random(2);
    for (var channel : List.of("stdout", "stderr")) {
      var stream = PLANTED.redactor().stream();
      var shown = new StringBuilder();
      for (var secret : PLANTED.all()) {
        var bytes = ("value=" + secret + " then\n").getBytes(StandardCharsets.UTF_8);
        for (int at = 0; at < bytes.length; ) {
          int length = Math.min(bytes.length - at, 1 + random.nextInt(12));
          shown.append(stream.push(bytes, at, length));
          at += length;
        }
      }
      PLANTED.assertAbsent(channel, shown.append(stream.finish()).toString());
      assertThat(shown.toString().lines()).hasSize(60).allMatch(line -> line.contains("redacted"));
    }
  }

  @Test
  void errors_arguments_json_rules_and_requests_have_none() throws Exception {
    var redactor = PLANTED.redactor();
    for (var secret : PLANTED.all()) {
      var command = "curl -H 'X: " + secret + "' https://e.example/?k=" + url(secret);
      PLANTED.assertAbsent("argv", redactor.text(command));
      PLANTED.assertAbsent("error", redactor.text(new IllegalStateException(secret).toString()));
      var json = Json.of(Map.of("command", command, "nested", List.of(secret)).toString());
      PLANTED.assertAbsent("JSON", redactor.json(json).text());
      var fence = new OutputFence(10_000, new Random(3));
      PLANTED.assertAbsent("model request", fence.fence("step 1", redactor.text(secret)));
      var rule =
          "[[rule]]\npattern = [\"x\"]\ndecision = \"deny\"\njustification = '" + secret + "'\n";
      var file = Files.writeString(folder.resolve("rules.toml"), redactor.text(rule));
      var loaded = CommandRules.load(file, Scope.USER);
      PLANTED.assertAbsent("rule", loaded.rules().getFirst().justification());
      PLANTED.assertAbsent("explanation", redactor.text(explained(command)));
    }
  }

  @Test
  void values_of_variables_are_hidden_when_they_are_encoded() {
    var redactor = PLANTED.redactor();
    for (var value : PLANTED.variables().values()) {
      for (var before : List.of("", "u", "user:")) {
        var encoded = redactor.text(base64(before + value + "\n"));
        assertThat(encoded).contains("[redacted secret]").hasSizeLessThan(40);
      }
      assertThat(redactor.text(hex(value))).isEqualTo("[redacted secret]");
      assertThat(redactor.text(url(value))).isEqualTo("[redacted secret]");
    }
  }

  private static String explained(String command) {
    var script = dev.superstep.terminal.shell.ShellScript.parse(command);
    var risk =
        dev.superstep.terminal.risk.RiskAssessor.standard()
            .assess(
                script,
                dev.superstep.terminal.risk.RiskContext.of(
                    Path.of("/w"), Path.of("/w"), Path.of("/h")));
    var context =
        dev.superstep.terminal.policy.DecisionContext.of(
            java.util.Set.of(), java.time.Instant.EPOCH);
    PolicyExplanation why = CommandRules.none().why(script, risk, context);
    return why.text() + why.json().text();
  }

  private static String url(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String hex(String text) {
    return HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void variables_that_everybody_has_are_shown_and_others_hidden() {
    var redactor =
        SecretSources.of(
                Map.of(
                    "HOME",
                    "/home/ann",
                    "OTHER",
                    "/home/ann",
                    "LANG",
                    "en_US.UTF-8",
                    "SHLVL",
                    "2",
                    "DB_PASS",
                    "tr33",
                    "DEPLOY",
                    "production-9"))
            .allowing("DEPLOY")
            .redactor();
    assertThat(redactor.text("/home/ann en_US.UTF-8 2 production-9 tr33"))
        .isEqualTo("/home/ann en_US.UTF-8 2 production-9 [redacted secret]");
  }

  @Test
  void secret_files_are_hidden_line_by_line() throws Exception {
    var file =
        Files.writeString(
            folder.resolve(".env"), "# comment\nexport A_KEY='q1w2e3'\nmachine h password pp99\n");
    var redactor = SecretSources.of(Map.of()).file(file).file(folder.resolve("none")).redactor();
    assertThat(redactor.text("q1w2e3 pp99 comment"))
        .isEqualTo("[redacted secret] [redacted secret] comment");
  }
}
