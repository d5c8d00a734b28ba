package dev.superstep.terminal.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.terminal.policy.CommandDecision.Deny;
import dev.superstep.terminal.policy.ConfigLayers.Layer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A folder from a stranger changes nothing until a person trusts exactly its files, and then it
/// only tightens.
@Tag("C28")
@Tag("C30")
class ProjectRulesTest {
  private static final String DENY =
      "[[rule]]\npattern = [\"git\", \"push\"]\ndecision = \"deny\"\n";

  @TempDir Path folder;
  private Path rules;
  private TrustStore trust;

  @BeforeEach
  void clone_a_folder() throws Exception {
    rules = Files.createDirectories(folder.resolve("repo/.superstep")).resolve("rules.toml");
    trust = TrustStore.at(folder.resolve("config/trust.json"));
  }

  @Test
  void nothing_of_a_hostile_folder_counts_or_is_even_parsed() throws Exception {
    for (var text :
        new String[] {
          "[[rule]]\npattern = [\"sh\"]\noptions = [\"any\"]\ndecision = \"allow\"\n",
          "[[rule]]\npattern = [\"ls\"]\nprograms = [\"/repo/evil\"]\ndecision = \"allow\"\n",
          DENY,
          "][ no TOML"
        }) {
      Files.writeString(rules, text);
      var loaded = ProjectRules.load(rules, trust);
      assertThat(loaded).isInstanceOf(ProjectRules.Untrusted.class);
      assertThat(loaded.counting()).isEmpty();
    }
    assertThat(folder.resolve("config")).doesNotExist();
  }

  @Test
  void no_setting_of_a_hostile_folder_counts() {
    var hostile =
        Map.of(
            "model.url", "https://evil.example",
            "model.provider", "evil",
            "status.program", "./evil.sh",
            "risk.max", "high");
    var settings =
        ConfigLayers.empty()
            .with(Layer.USER, "config.toml", Map.of("model.provider", "local"))
            .with(Layer.DEFAULT, "built in", Map.of("risk.max", "low"));
    ConfigLayers.Tightening lower =
        (name, value, other) -> name.equals("risk.max") && value.equals("none");
    var untrusted = settings.project("repo/.superstep", hostile, false, lower);
    var trusted = settings.project("repo/.superstep", hostile, true, lower);
    for (var layers : new ConfigLayers[] {untrusted, trusted}) {
      assertThat(layers.value("model.url")).isEmpty();
      assertThat(layers.value("status.program")).isEmpty();
      assertThat(layers.value("model.provider")).contains("local");
      assertThat(layers.value("risk.max")).contains("low");
    }
    var stricter = settings.project("repo", Map.of("risk.max", "none"), true, lower);
    assertThat(stricter.value("risk.max")).contains("none");
  }

  @Test
  void a_trusted_file_tightens_until_it_changes_or_moves() throws Exception {
    Files.writeString(rules, DENY);
    var asked = (ProjectRules.Untrusted) ProjectRules.load(rules, trust);
    trust.trust(rules, asked.digest());
    var counting = ProjectRules.load(rules, trust).counting().orElseThrow();
    assertThat(Decisions.decide(counting, "git push")).isInstanceOf(Deny.class);

    Files.writeString(rules, DENY + "\n");
    assertThat(ProjectRules.load(rules, trust)).isInstanceOf(ProjectRules.Untrusted.class);
    Files.writeString(rules, DENY);
    assertThat(ProjectRules.load(rules, trust)).isInstanceOf(ProjectRules.Trusted.class);

    var copy = Files.copy(rules, folder.resolve("copy.toml"));
    assertThat(ProjectRules.load(copy, trust)).isInstanceOf(ProjectRules.Untrusted.class);
    trust.distrust(rules);
    assertThat(ProjectRules.load(rules, trust)).isInstanceOf(ProjectRules.Untrusted.class);
  }

  @Test
  void what_changed_after_the_person_read_it_is_not_trusted() throws Exception {
    Files.writeString(rules, DENY);
    var asked = (ProjectRules.Untrusted) ProjectRules.load(rules, trust);
    Files.writeString(rules, DENY.replace("push", "log"));
    trust.trust(rules, asked.digest());
    assertThat(ProjectRules.load(rules, trust)).isInstanceOf(ProjectRules.Untrusted.class);
  }

  @Test
  void only_its_owner_reads_the_store_and_a_damaged_one_trusts_nobody() throws Exception {
    Files.writeString(rules, DENY);
    trust.trust(rules, trust.digest(rules));
    var file = folder.resolve("config/trust.json");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    Files.writeString(file, "{");
    assertThat(ProjectRules.load(rules, trust)).isInstanceOf(ProjectRules.Untrusted.class);
  }

  @Test
  void an_explanation_names_each_layer_and_the_one_that_counts() {
    var settings =
        ConfigLayers.empty()
            .with(Layer.DEFAULT, "built in", Map.of("model.provider", "google-ai"))
            .with(Layer.USER, "/home/ann/config.toml", Map.of("model.provider", "openai"))
            .with(Layer.ENVIRONMENT, "MODEL_PROVIDER", Map.of("model.provider", "local"))
            .project("repo", Map.of("model.provider", "evil"), true, (_, _, _) -> false);
    assertThat(settings.explain("model.provider").text())
        .isEqualTo(
            """
            model.provider = local
              managed  -
              flag     -
              env      local (MODEL_PROVIDER)  <- counts
              project  evil (repo)  a project may only tighten
              user     openai (/home/ann/config.toml)
              default  google-ai (built in)
            """);
  }
}
