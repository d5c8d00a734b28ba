package dev.superstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.cli.host.ExitCodes;
import dev.superstep.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// `superstep rlm bench`, with few seeds and small texts.
@Timeout(120)
class RlmBenchTest {
  @TempDir Path temp;
  private Desk desk;

  @BeforeEach
  void sit_down() throws IOException {
    desk = new Desk(temp);
  }

  record Row(
      String suite,
      long size,
      String way,
      int trials,
      double score,
      double turns,
      double calls,
      double sent,
      long peak,
      double ms,
      long heapBytes,
      int overWindow,
      int failed,
      String error) {}

  record ToolRow(
      String task, String way, int trials, int right, double turns, double sent, double written) {}

  record Figures(String label, List<Row> rows, List<ToolRow> tools) {}

  private Figures figures(String... options) throws IOException {
    var words = new ArrayList<>(List.of("rlm", "bench", "--json", "figures.json"));
    words.addAll(List.of(options));
    var said = desk.run(words.toArray(String[]::new));
    assertThat(said.exit()).as(said.err()).isZero();
    return Json.parse(Files.readString(desk.folder().resolve("figures.json"))).as(Figures.class);
  }

  private List<Row> rows(String... options) throws IOException {
    return figures(options).rows();
  }

  @Test
  void its_tables_say_that_they_are_a_simulation_and_are_the_same_each_time() throws IOException {
    var said =
        desk.run(
            "rlm",
            "bench",
            "--suite",
            "mechanism,count,tools",
            "--sizes",
            "2^13,2^16",
            "--seeds",
            "2");
    assertThat(said.exit()).as(said.err()).isZero();
    assertThat(said.lines()).allMatch(line -> line.length() <= 80);
    // What the prompts, the time and the machine decide is left out.
    var same =
        said.out()
            .replaceAll("(?m)^( *[\\d,]+ .*?)( +[\\d,]+){4}$", "$1")
            .replaceAll("(?m)(\\d+/\\d+ +[\\d.]+) +[\\d,]+( +[\\d,]+)$", "$1 ...$2");
    Golden.check("rlm-bench.txt", same);
  }

  @Test
  void good_ways_to_cut_a_text_are_told_from_bad_ones() throws IOException {
    var scores =
        rows("--suite", "mechanism", "--sizes", "76000,456000", "--seeds", "12").stream()
            .collect(Collectors.toMap(row -> row.size() + " " + row.way(), Row::score));
    assertThat(scores.get("76000 chunks of 100"))
        .isGreaterThan(scores.get("76000 direct") + 0.2)
        .isGreaterThan(scores.get("76000 chunks of 1000") + 0.2);
    assertThat(scores.get("456000 direct")).as("over the window").isZero();
    assertThat(scores.get("456000 chunks of 100"))
        .isGreaterThan(scores.get("456000 chunks of 1000") + 0.1);
    assertThat(scores.get("456000 combinators"))
        .isGreaterThan(scores.get("456000 chunks of 1000") + 0.1);
  }

  @Test
  void the_prompts_of_the_root_stay_as_long_however_large_the_text_is() throws IOException {
    var peaks =
        rows("--sizes", "2^13,2^16", "--seeds", "1").stream()
            .filter(row -> !row.suite().equals("mechanism"))
            .collect(
                Collectors.groupingBy(
                    row -> row.suite() + " " + row.way(),
                    Collectors.toMap(Row::size, Row::peak, Math::max)));
    assertThat(peaks).hasSize(6 * 5);
    for (var each : peaks.entrySet()) {
      Map<Long, Long> peak = each.getValue();
      long large = peak.get(1L << 16);
      if (each.getKey().endsWith("direct")) assertThat(large).isGreaterThan(60_000);
      else assertThat(large).as(each.getKey()).isBetween(1_000L, peak.get(1L << 13) + 100);
    }
  }

  @Test
  void every_way_of_a_scripted_root_finds_what_it_can_find() throws IOException {
    var rows = rows("--suite", "needle,hops,frequent,pairs", "--sizes", "2^14", "--seeds", "1");
    assertThat(rows).hasSize(4 * 5);
    assertThat(rows)
        .filteredOn(row -> !row.way().equals("depth 0") && !row.way().equals("direct"))
        .allMatch(row -> row.score() > 0.9 && row.calls() > 0);
    assertThat(rows)
        .filteredOn(row -> row.way().equals("depth 0"))
        .hasSize(4)
        .allMatch(row -> row.calls() == 0);
  }

  @Test
  void a_program_needs_fewer_turns_than_tool_calls_for_the_same_answers() throws IOException {
    var rows = figures("--suite", "tools", "--seeds", "2").tools();
    assertThat(rows).hasSize(5 * 3).allMatch(row -> row.right() == row.trials());
    var turns =
        rows.stream()
            .collect(Collectors.toMap(row -> row.task() + ", " + row.way(), ToolRow::turns));
    assertThat(turns.get("sum of a customer, program")).isEqualTo(1);
    assertThat(turns.get("sum of a customer, JSON, parallel calls")).isEqualTo(4);
    assertThat(turns.get("sum of a customer, JSON, one call a turn")).isGreaterThan(8);
  }

  @Test
  void a_real_model_gets_the_same_suites_and_the_same_table() throws IOException {
    desk.write(
        "model.json",
        """
        {"replies": [{"when": "How many", "text": "```\\nanswer(len(context.grep('soup')))\\n```"}]}
        """);
    var said =
        desk.run(
            "rlm",
            "bench",
            "--model",
            "scripted://model.json",
            "--suite",
            "users",
            "--sizes",
            "2^13");
    assertThat(said.exit()).as(said.err()).isZero();
    assertThat(said.out())
        .startsWith("Measured with scripted://model.json")
        .contains("users: ", "direct", "depth 2", "combinators")
        .doesNotContain("imulation");
  }

  @Test
  void a_budget_that_is_used_up_ends_the_bench() throws IOException {
    desk.write("model.json", "{\"replies\": [{\"when\": \"How many\", \"text\": \"7\"}]}");
    var said =
        desk.run(
            "rlm",
            "bench",
            "--model",
            "scripted://model.json",
            "--suite",
            "count",
            "--max-tokens",
            "1");
    assertThat(said.exit()).as(said.err()).isEqualTo(ExitCodes.BUDGET);
    assertThat(said.err()).contains("the budget of 1 tokens is used up");
  }

  @Test
  void nothing_goes_to_a_vendor_before_the_user_agrees() {
    var said =
        desk.variable("OPENAI_API_KEY", "sk-none")
            .run("rlm", "bench", "--model", "openai://gpt-5.2", "--suite", "needle");
    assertThat(said.exit()).as(said.err()).isEqualTo(ExitCodes.INTERRUPTED);
    assertThat(said.err()).contains("nobody agreed");
  }

  @Test
  void wrong_arguments_are_told_in_a_line() {
    assertThat(desk.run("rlm", "bench", "--suite", "neddle").err())
        .contains("error[bench.suite]", "Did you mean `needle`?");
    assertThat(desk.run("rlm", "bench", "--suite", "tools", "--model", "scripted://a.json").err())
        .contains("asks no real model");
    assertThat(desk.run("rlm", "bench", "--sizes", "7").exit()).isEqualTo(ExitCodes.USAGE);
    assertThat(desk.run("rlm", "bench", "--leaf-model", "openai://x").exit())
        .isEqualTo(ExitCodes.USAGE);
  }
}
