package dev.superstep.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.superstep.sandbox.Sandbox;
import dev.superstep.sandbox.Tier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The example of the terminal workflow, as its page says to run it.
@Timeout(300)
class TerminalExampleTest {
  private static final Path EXAMPLE = Path.of("../examples/log-report");
  private static final Pattern FIRST = Pattern.compile("(?s)```sh\nsuperstep (.*?)\n```");
  private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");

  @TempDir Path temp;

  @Test
  void the_first_command_of_its_page_ends_well_without_a_key() throws IOException {
    boolean holds = Sandbox.open().machine().isAvailable(Tier.LANDLOCK);
    if (!holds) System.out.println("skipped: this machine has no Landlock for the example");
    assumeThat(holds).as("Landlock").isTrue();
    var desk = new Desk(temp);
    desk.variable("PATH", System.getenv("PATH"));
    copy(desk);
    var page = FIRST.matcher(Files.readString(EXAMPLE.resolve("README.md")));
    assertThat(page.find()).isTrue();
    var words = new ArrayList<String>();
    for (var word = WORD.matcher(page.group(1)); word.find(); ) {
      words.add(word.group(1) == null ? word.group(2) : word.group(1));
    }
    var said = desk.run(words.toArray(String[]::new));
    assertThat(said.exit()).as(said.err()).isZero();
    Golden.check("example.txt", said.out() + "--\n" + said.err());
  }

  private static void copy(Desk desk) throws IOException {
    for (var name : new String[] {"replies.json", "logs/app.txt", "logs/db.txt"}) {
      desk.write(name, Files.readString(EXAMPLE.resolve(name)));
    }
  }

  @Test
  void its_page_says_who_wrote_the_replies() throws IOException {
    assertThat(Files.readString(EXAMPLE.resolve("README.md"))).contains("were written by hand");
  }
}
