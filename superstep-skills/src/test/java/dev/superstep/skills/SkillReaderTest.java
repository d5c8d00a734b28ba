package dev.superstep.skills;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The form of `SKILL.md`.
final class SkillReaderTest {
  @TempDir Path folder;

  private Skill read(String head) {
    SkillFiles.write(
        folder.resolve("pdf-forms/SKILL.md"), "---\n" + head + "---\n# Forms\nFill.\n");
    return Skills.in(folder).find("pdf-forms").orElseThrow();
  }

  @Test
  void all_fields_of_the_convention_are_read() {
    var skill =
        read(
            """
            # A comment.
            name: pdf-forms
            description: >-
              Fills forms.
              Use it for PDF: always.
            license: Apache-2.0
            compatibility: "Needs \\"pdftk\\"" # and no network
            metadata:
              author: 'O''Hara'
              version: "1.0"
            allowed-tools: Bash(git log *) Read, Write
            """);

    assertThat(skill.description())
        .isEqualTo(
            new SkillDescription(
                "pdf-forms",
                "Fills forms. Use it for PDF: always.",
                Optional.of("Apache-2.0"),
                Optional.of("Needs \"pdftk\""),
                Map.of("author", "O'Hara", "version", "1.0"),
                java.util.List.of("Bash(git log *)", "Read", "Write")));
    assertThat(skill.instructions()).isEqualTo("# Forms\nFill.");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "description: Fills: forms, # that is all",
        "description: Fills: forms,",
        "description:\n  Fills: forms,",
        "description: |\n"
            + "  Fills:\n"
            + "  forms,\n"
            + "other: x\n"
            + "nested:\n"
            + "  deep: y\n"
            + "  list:\n"
            + "list:\n"
            + "- a\n"
            + "- b",
        "description: 'Fills: forms,'"
      })
  void descriptions_of_all_forms_that_skills_use_are_read(String line) {
    var found = read("name: pdf-forms\n" + line + "\n").description().description();
    assertThat(found).isIn("Fills: forms,", "Fills: forms");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          name: pdf-forms\\n | It has no `description`
          description: x\\n | It has no `name`
          name: other\\ndescription: x\\n | Its name is `other`
          name: PDF-forms\\ndescription: x\\n | lower-case
          name: pdf--forms\\ndescription: x\\n | lower-case
          name: pdf-forms\\ndescription: *bomb\\n | YAML that skills do not need
          name: pdf-forms\\ndescription: &bomb x\\n | YAML that skills do not need
          name: pdf-forms\\ndescription: !!java x\\n | YAML that skills do not need
          name: pdf-forms\\ndescription: {a: b}\\n | YAML that skills do not need
          name: pdf-forms\\ndescription: "x\\n | has no end
          name: pdf-forms\\ndescription: "\\x"\\n | an escape that is not known
          name: pdf-forms\\ndescription: x\\ndescription: y\\n | `description` twice
          name: pdf-forms\\ndescription x\\n | not of the form
          """)
  void what_is_no_skill_is_told_with_its_reason(String head, String reason) {
    assertThatThrownBy(() -> read(head.replace("\\n", "\n")))
        .isInstanceOf(InvalidSkill.class)
        .hasMessageContaining("`pdf-forms` cannot be used as a skill")
        .hasMessageContaining(reason);
  }

  @Test
  void windows_line_ends_and_a_byte_order_mark_do_no_harm() {
    SkillFiles.write(
        folder.resolve("pdf-forms/SKILL.md"),
        "\uFEFF---\r\nname: pdf-forms\r\ndescription: Fills.\r\n---\r\nOne.\r\nTwo.\r\n");
    var skill = Skills.in(folder).find("pdf-forms").orElseThrow();
    assertThat(skill.description().description()).isEqualTo("Fills.");
    assertThat(skill.instructions()).isEqualTo("One.\nTwo.");
  }
}
