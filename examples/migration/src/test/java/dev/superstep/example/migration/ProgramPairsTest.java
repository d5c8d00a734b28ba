package dev.superstep.example.migration;

import dev.superstep.testkit.Golden;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A program of another library and what became of it here print the same. Those of LangGraph and
/// Spring AI are run by [PeerProgramsTest].
@Timeout(120)
class ProgramPairsTest {
  static final Golden EXPECTED = Golden.in(Path.of("expected"));
  private static final String HERE = ProgramPairsTest.class.getPackageName() + ".";

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({
    "langgraph.Travel, langgraph-travel",
    "langgraph.Research, langgraph-research",
    "langgraph4j.Essay, langgraph4j-essay",
    "langgraph4j.Offer, langgraph4j-offer",
    "langchain4j.Support, langchain4j-support",
    "langchain4j.Extract, langchain4j-extract",
    "langchain4j.Handbook, langchain4j-handbook",
    "springai.Orders, spring-ai-orders",
    "springai.Tickets, spring-ai-tickets",
    "springai.Slogan, spring-ai-slogan"
  })
  void our_programs_print_what_the_pages_show(String type, String file)
      throws ReflectiveOperationException {
    EXPECTED.check(file + ".txt", Program.output(HERE + type));
  }

  @ParameterizedTest
  @CsvSource({
    "langgraph4j.before.Essay, langgraph4j-essay",
    "langgraph4j.before.Offer, langgraph4j-offer",
    "langchain4j.before.Support, langchain4j-support",
    "langchain4j.before.Extract, langchain4j-extract",
    "langchain4j.before.Handbook, langchain4j-handbook"
  })
  void their_programs_print_the_same(String type, String file) throws ReflectiveOperationException {
    EXPECTED.check(file + ".txt", Program.output(HERE + type));
  }

  @Test
  void our_refund_is_killed_while_it_waits_and_goes_on() throws IOException, InterruptedException {
    var program = Program.java(HERE + "langgraph.Refund", folder);
    var printed = program.outputWhenKilled(folder.resolve("threads.db"), "yes");
    EXPECTED.check("langgraph-refund.txt", printed);
  }

  @ParameterizedTest
  @CsvSource({"langgraph4j.Publish", "langgraph4j.before.Publish"})
  void both_texts_are_killed_while_they_wait_and_go_on(String type)
      throws IOException, InterruptedException {
    var printed = Program.java(HERE + type, folder).outputWhenKilled(folder, "Singers");
    EXPECTED.check("langgraph4j-publish.txt", printed);
  }
}
