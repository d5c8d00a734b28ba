package dev.superstep.server.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Schemathesis, which makes requests of the document of the API, against a server on SQLite.
@Timeout(3_600)
@Tag("long")
class SchemathesisTest {
  private static final int MINUTES = 55;
  private static final String EXAMPLES = System.getProperty("superstep.requests", "10");

  // A valid request may name what is not there, or input that does not fit its graph, and a path
  // such as `/assistants/search` also answers what `/assistants/{assistant}` does. As with
  // LangGraph,
  // what is null or an empty parameter counts as left out.
  private static final String NOT_PROMISED =
      "positive_data_acceptance,negative_data_rejection,allow_header_conformance";

  @TempDir Path folder;

  @Test
  void every_answer_is_as_the_document_of_the_api_says_and_none_is_a_failure() throws Exception {
    var installed = ClientTools.python("schemathesis");
    assumeTrue(installed.isPresent(), "Python with venv and its registry are not to be had here");
    try (var server = FixtureServer.start(folder.resolve("threads.db"))) {
      var command =
          List.of(
              "venv/bin/st",
              "run",
              server.address() + "/openapi.json",
              "--checks",
              "all",
              "--exclude-checks",
              NOT_PROMISED,
              "--max-examples",
              EXAMPLES,
              "--request-timeout",
              "30",
              "--continue-on-failure",
              "--no-color",
              "--seed",
              "1");
      var ended = ClientTools.run(installed.get(), command, Map.of(), MINUTES).orElseThrow();
      ended
          .output()
          .lines()
          .filter(line -> line.contains(" generated, "))
          .forEach(line -> System.out.println("long: " + line.strip()));
      assertThat(ended.status()).as(ended.output()).isZero();
    }
  }
}
