package dev.superstep.eval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.eval.dataset.Case;
import dev.superstep.eval.dataset.Dataset;
import dev.superstep.eval.dataset.Ending;
import dev.superstep.eval.dataset.ExpectedCall;
import dev.superstep.eval.dataset.Labelled;
import dev.superstep.eval.dataset.MalformedDataset;
import dev.superstep.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Datasets as files.
class DatasetTest {
  @TempDir Path folder;

  @Test
  void aLineHasACaseWithAllItsFields() {
    var cases =
        Dataset.parse(
                """
                # refunds
                {"id": "a", "input": "Order 17 is broken."}

                {"id": "b", "input": {"messages": []}, "expected": {"n": 1}, "tags": ["vip"], \
                "tools": ["look_up", {"tool": "pay", "arguments": {"order": 17}}], \
                "metadata": {"from": "mail", "n": 3}, "answers": {"review": "approve"}, \
                "ending": "waiting"}
                """)
            .cases();
    assertThat(cases.getFirst()).isEqualTo(Case.of("a", "Order 17 is broken."));
    var full = cases.getLast();
    assertThat(full.expected()).contains(Json.parse("{\"n\":1}"));
    assertThat(full.tags()).containsExactly("vip");
    assertThat(full.tools())
        .containsExactly(
            ExpectedCall.of("look_up"), ExpectedCall.of("pay", Json.parse("{\"order\":17}")));
    assertThat(full.metadata()).containsEntry("from", "mail").containsEntry("n", "3");
    assertThat(full.answers()).containsEntry("review", Json.string("approve"));
    assertThat(full.ending()).isEqualTo(Ending.WAITING);
  }

  @Test
  void aDatasetThatIsWrittenAndReadIsTheSame() {
    var all =
        Dataset.of(
            Case.of("a", "x \u2028 \" y").withExpected("z").withTags("t").withMetadata("k", "v"),
            Case.of("b", Json.parse("[1,2]"))
                .withTools(ExpectedCall.of("t"), ExpectedCall.of("u", Json.parse("{\"a\":1}")))
                .withAnswer("age", Json.of(3))
                .withEnding(Ending.LIMIT));
    assertThat(Dataset.parse(all.text())).isEqualTo(all);
    assertThat(Dataset.parse(all.text()).digest()).isEqualTo(all.digest());
  }

  @Test
  void everyBrokenLineIsNamedByItsNumber() {
    assertThatThrownBy(() ->
            Dataset.parse(
                """
                {"id": "a", "input": 1}
                {"id": "b"}
                {"id": "a", "input": 2}
                not json
                {"id": "c", "input": 1, "expectd": 2}
                {"id": 7, "input": 1}
                {"id": "d", "input": 1, "input": 2}
                {"id": "e", "input": 1} {"id": "f"}
                {"id": "g", "input": 1, "ending": "happily"}
                {"id": "h", "input": 1, "tools": [{"arguments": {}}]}
                ["id"]
                {"id": "", "input": 1}
                """))
        .asInstanceOf(InstanceOfAssertFactories.type(MalformedDataset.class))
        .satisfies(error -> {
          assertThat(error.lines())
              .extracting(MalformedDataset.BrokenLine::line)
              .containsExactly(2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
          assertThat(error)
              .hasMessageContaining("dataset:2: field `input` is missing")
              .hasMessageContaining("dataset:3: id `a` was used before, at dataset:1")
              .hasMessageContaining("field `expectd` is unknown; known are [answers, ending,");
        });
  }

  @Test
  void anIdCountsOnceOverAllFiles() throws IOException {
    var one = Files.writeString(folder.resolve("one.jsonl"), "{\"id\":\"a\",\"input\":1}\n");
    var two = Files.writeString(folder.resolve("two.jsonl"), "\n{\"id\":\"a\",\"input\":2}\n");
    assertThatThrownBy(() -> Dataset.read(one, two))
        .hasMessageContaining("two.jsonl:2: id `a` was used before, at " + one + ":1");
    assertThatThrownBy(() -> Dataset.of(Case.of("a", "x"), Case.of("a", "y")))
        .isInstanceOf(MalformedDataset.class);
  }

  @Test
  void aFileThatIsNoTextIsRefused() throws IOException {
    var file = Files.write(folder.resolve("a.jsonl"), new byte[] {(byte) 0xff, (byte) 0xfe, 0});
    assertThatThrownBy(() -> Dataset.read(file)).hasMessageContaining("not UTF-8");
  }

  @Test
  void aCaseIsAddedAtTheEndOfAFile() throws IOException {
    var file = folder.resolve("cases.jsonl");
    Dataset.append(file, Case.of("a", "x"));
    Files.writeString(file, Files.readString(file).stripTrailing());
    Dataset.append(file, Case.of("b", "y"));
    assertThat(Dataset.read(file).cases()).extracting(Case::id).containsExactly("a", "b");
    assertThatThrownBy(() -> Dataset.append(file, Case.of("b", "z")))
        .isInstanceOf(MalformedDataset.class);
    assertThat(Files.readAllLines(file)).hasSize(2);
  }

  @Test
  void theDigestTellsCasesApartAndIgnoresMetadata() {
    var one = Case.of("a", Json.parse("{\"x\":1,\"y\":2}"));
    assertThat(Case.of("a", Json.parse("{\"y\": 2, \"x\": 1}")).digest()).isEqualTo(one.digest());
    assertThat(one.withMetadata("by", "me").digest()).isEqualTo(one.digest());
    assertThat(one.withExpected("z").digest()).isNotEqualTo(one.digest());
    assertThat(one.withAnswer("q", Json.of(1)).digest()).isNotEqualTo(one.digest());
    assertThat(one.withEnding(Ending.FAILED).digest()).isNotEqualTo(one.digest());
  }

  @Test
  void anExampleForAJudgeHasAnOutputAndAVerdict() throws IOException {
    var file =
        Files.writeString(
            folder.resolve("polite.jsonl"),
            """
            {"id": "a", "input": "Hi", "output": "Hello!", "passed": true}
            {"id": "b", "input": "Hi", "output": "Go away.", "passed": false}
            """);
    assertThat(Labelled.read(file)).extracting(Labelled::passed).containsExactly(true, false);
    Files.writeString(file, "{\"id\": \"a\", \"input\": \"Hi\", \"passed\": true}");
    assertThatThrownBy(() -> Labelled.read(file)).hasMessageContaining("`output` is missing");
  }
}
