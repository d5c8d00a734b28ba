package dev.superstep.example.claims;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The two examples of graphs as text, run by the command as a user does.
class ClaimDeskTest {
  private static final String DESK = Command.EXAMPLES.resolve("claim-desk").toString();
  private static final String REFUNDS = Command.EXAMPLES.resolve("refunds").toString();

  @TempDir Path folder;

  private Command.Said said(int exit, String... arguments) {
    var said = new Command(folder).run(arguments);
    assertThat(said.exit()).as(said.out() + said.err()).isEqualTo(exit);
    return said;
  }

  @Test
  @Tag("R43")
  void a_sure_claim_is_settled_without_a_question() {
    var done = said(0, "run", DESK, "--yes", "--thread", "t");
    assertThat(done.out()).startsWith("verdict: done\n");
    assertThat(said(0, "threads", "show", "t", "--json").out()).contains("told: ", "sure: ");
  }

  @Test
  void its_replies_are_labelled_as_recorded() {
    var done = said(0, "run", DESK, "--yes", "--json");
    assertThat(done.out()).contains("\"outcome\":\"completed\"", "\"source\":\"recorded\"");
  }

  @Test
  @Tag("R43")
  void an_unsure_claim_waits_for_a_person_who_pays_it() {
    var unsure = Path.of(DESK, "claims", "unsure.json").toString();
    var asked = said(3, "run", DESK, "--input", unsure, "--thread", "t");
    assertThat(asked.out()).contains("Pay this claim? Water came through the roof.");
    var done = said(0, "resume", "t", "--answer", "1=pay");
    assertThat(done.out()).startsWith("verdict: done\n");
    assertThat(said(0, "threads", "show", "t", "--json").out()).contains("told: ");
    assertThat(said(0, "replay", "t").out()).contains("agree");
  }

  @Test
  void a_refused_claim_tells_the_customer_nothing() {
    var unsure = Path.of(DESK, "claims", "unsure.json").toString();
    said(0, "run", DESK, "--input", unsure, "--thread", "t", "--answer", "1=refuse");
    assertThat(said(0, "threads", "show", "t", "--json").out()).doesNotContain("told: ");
  }

  @Test
  void the_text_is_laid_out_and_explained() {
    var file = Path.of(DESK, "claim_desk.rag").toString();
    said(0, "rag", "check", file);
    said(0, "rag", "format", "--check", file, Path.of(REFUNDS, "refunds.rag").toString());
    assertThat(said(0, "rag", "explain", file, "weigh").out()).contains("draft  (on label `sure`)");
    assertThat(said(0, "graph", DESK).out()).startsWith("graph claim_desk\n");
  }

  @Test
  @Tag("W2")
  @Tag("W5")
  void a_folder_without_java_asks_and_replies() {
    var done = said(0, "run", REFUNDS, "--yes");
    assertThat(done.out()).startsWith("reply: We refund your chair.\n");
    var refused = said(0, "run", REFUNDS, "--answer", "1=no");
    assertThat(refused.out()).startsWith("reply: We are sorry");
    assertThat(said(0, "rag", "check", Path.of(REFUNDS, "refunds.rag").toString()).out())
        .contains("refunds.rag: no errors\n")
        .contains("model calls: 3\n");
  }
}
