package dev.superstep.cli.rlm.bench;

import dev.superstep.json.Json;
import java.util.List;
import java.util.Map;

/// The programs of the scripted roots: for each suite and way the cells that a model would write
/// that knows the way well. `<name>` is filled in from the task, as a text in quotes.
final class Programs {
  private static final String LOOK =
      """
      lines = context.count("\\n") + 1
      step = max(1, 5500 * lines // len(context))
      print(len(context), lines)
      print(context.head(160))
      """;

  /// Turns the notes of a batch into lines.
  private static final String NOTES =
      """
      def texts(notes):
          return [each.value for each in notes if each.ok and each.value != "none"]
      def pieces(count):
          return context.chunks((lines + count - 1) // count, by="lines")
      def inside(ask, count=8):
          parts = pieces(count)
          return texts(rlm_batch([<part> + " " + ask for part in parts], parts))
      def batch(ask, step):
          return texts(llm_batch([ask + "\\n\\n" + str(part) for part in context.chunks(step, by="lines")]))
      """;

  private Programs() {}

  /// The cells of a way.
  static ScriptedRoot of(Suite suite, Way way, Task task) {
    var inside =
        way == Way.DEPTH_2 ? List.of(LOOK, filled(inside(suite), task)) : List.<String>of();
    return new ScriptedRoot(List.of(LOOK, filled(cell(suite, way), task)), inside);
  }

  private static String filled(String cell, Task task) {
    // A session that can ask no model does not know the functions that do.
    boolean asks = cell.contains("texts(") || cell.contains("inside(") || cell.contains("batch(");
    var all = asks ? NOTES + cell : cell;
    for (var part : task.parts().entrySet()) {
      all = all.replace("<" + part.getKey() + ">", quoted(part));
    }
    return all.replace("<part>", Json.string(ScriptedRoot.PART).text());
  }

  private static String quoted(Map.Entry<String, String> part) {
    boolean isDict = part.getValue().startsWith("{");
    return isDict ? part.getValue() : Json.string(part.getValue()).text();
  }

  private static String cell(Suite suite, Way way) {
    return switch (suite) {
      case NEEDLE -> needle(way);
      case HOPS -> hops(way);
      case COUNT -> count(way);
      case FREQUENT -> frequent(way);
      case USERS -> users(way);
      case PAIRS -> pairs(way);
    };
  }

  /// The last cell of a session inside.
  private static String inside(Suite suite) {
    return switch (suite) {
      case NEEDLE, COUNT, USERS -> cell(suite, Way.DEPTH_1);
      case HOPS -> HOP_INSIDE;
      case FREQUENT -> TALLY + "answer(tally(batch(\"Count the entries of each topic.\", step)))";
      case PAIRS -> NAMED + "answer(sorted(found))";
    };
  }

  private static String needle(Way way) {
    return switch (way) {
      case DEPTH_0 ->
          """
          match = re.search("The access code of " + <town> + " is (\\\\d+)", str(context.grep("access code of " + <town>)))
          answer(match.group(1) if match else "none")
          """;
      case DEPTH_2 -> "answer((inside(<ask>) + [\"none\"])[0])";
      case COMBINATORS ->
          """
          found = map_llm(context.chunks(step, by="lines"), <ask>)
          answer(([each for each in found if each != "none"] + ["none"])[0])
          """;
      default ->
          """
          hits = [hit["line"] for hit in context.grep("access code of " + <town>)]
          answer(llm_query(<ask> + "\\n\\n" + "\\n".join(hits)) if hits else "none")
          """;
    };
  }

  private static String hops(Way way) {
    return switch (way) {
      case DEPTH_0 ->
          """
          def behind(phrase):
              return str(context.grep(phrase, limit=1)[0]["line"]).split(phrase)[1].split(".")[0]
          answer(behind(behind(behind(<person> + " works for ") + " has its seat in ") + " lies in the district of "))
          """;
      case DEPTH_2 ->
          """
          def hop(ask, name):
              return inside(ask)
          """
              + HOPS;
      case COMBINATORS ->
          """
          def hop(ask, name):
              return [each for each in map_llm(context.chunks(step, by="lines"), ask) if each != "none"]
          """
              + HOPS;
      default ->
          """
          def hop(ask, name):
              hits = [hit["line"] for hit in context.grep(name)]
              return texts([llm_batch([ask + "\\n\\n" + "\\n".join(hits)])[0]])
          """
              + HOPS;
    };
  }

  private static final String HOPS =
      """
      def first(found):
          return (found + ["none"])[0]
      firm = first(hop("For which firm does " + <person> + " work?", <person>))
      town = first(hop("In which town has " + firm + " its seat?", firm))
      answer(first(hop("In which district does " + town + " lie?", town)))
      """;

  private static final String HOP_INSIDE =
      """
      facts = [hit["line"][:90] for hit in context.grep("works for|has its seat in|lies in the district of")]
      groups = ["\\n".join(facts[at:at + 60]) for at in range(0, len(facts), 60)]
      answer((texts(llm_batch([<asked> + "\\n\\n" + group for group in groups])) + ["none"])[0])
      """;

  private static String count(Way way) {
    return switch (way) {
      case DEPTH_0 -> "answer(len(context.grep(<known>)))";
      case DEPTH_2 -> "answer(sum([int(each) for each in inside(<ask>)]))";
      case COMBINATORS ->
          "answer(reduce_llm(map_llm(context.chunks(step, by=\"lines\"), <ask>), \"Add up the"
              + " numbers.\"))";
      case CHUNKS_1000 -> "answer(sum([int(each) for each in batch(<ask>, 1000)]))";
      case CHUNKS_100 -> "answer(sum([int(each) for each in batch(<ask>, 100)]))";
      default -> "answer(sum([int(each) for each in batch(<ask>, step)]))";
    };
  }

  private static final String TALLY =
      """
      def tally(notes):
          total = {}
          for each in notes:
              for line in each.splitlines():
                  topic, _, number = line.partition(": ")
                  total[topic] = total.get(topic, 0) + int(number)
          return total
      """;

  private static String frequent(Way way) {
    return TALLY
        + switch (way) {
          case DEPTH_0 ->
              """
              known = <known>
              answer(max(known, key=lambda topic: len(context.grep(known[topic]))))
              """;
          case DEPTH_2 ->
              """
              total = {}
              for each in inside("Count the entries of each topic."):
                  for topic, number in json.loads(each).items():
                      total[topic] = total.get(topic, 0) + number
              answer(max(total, key=lambda topic: total[topic]))
              """;
          case COMBINATORS ->
              """
              parts = map_llm(context.chunks(step, by="lines"), "Count the entries of each topic.")
              total = tally([reduce_llm(parts, "Add up the counts of each topic.")])
              answer(max(total, key=lambda topic: total[topic]))
              """;
          default ->
              """
              total = tally(batch("Count the entries of each topic.", step))
              answer(max(total, key=lambda topic: total[topic]))
              """;
        };
  }

  private static String users(Way way) {
    var mine =
        """
        mine = [hit["line"] for hit in context.grep(<filter>)]
        parts = ["\\n".join(mine[at:at + 75]) for at in range(0, len(mine), 75)]
        """;
    return switch (way) {
      case DEPTH_0 -> mine + "answer(len([1 for line in mine if re.search(<known>, line)]))";
      case DEPTH_2 -> "answer(sum([int(each) for each in inside(<all>)]))";
      case COMBINATORS ->
          mine
              + "answer(reduce_llm(map_llm(parts, <ask>), \"Add up the numbers.\") if parts else"
              + " 0)";
      default ->
          mine
              + "answer(sum([int(each) for each in texts(llm_batch([<ask> + \"\\n\\n\" + part for"
              + " part in parts]))]))";
    };
  }

  /// The users who wrote about the topic in the month.
  private static final String NAMED =
      """
      mine = [hit["line"] for hit in context.grep(<month> + "-")]
      parts = ["\\n".join(mine[at:at + 75]) for at in range(0, len(mine), 75)]
      ask = "Name the user, the month and the topic of each entry."
      found = set()
      for each in texts(llm_batch([ask + "\\n\\n" + part for part in parts])):
          for line in each.splitlines():
              user, month, topic = line.split()
              if month == <month> and topic == <topic>:
                  found.add(user)
      """;

  private static String pairs(Way way) {
    var found =
        switch (way) {
          case DEPTH_0 ->
              """
              mine = [hit["line"] for hit in context.grep(<month> + "-")]
              found = {line[16:20] for line in mine if re.search(<known>, line)}
              """;
          case DEPTH_2 ->
              """
              found = set()
              for each in inside("Which users have such an entry?"):
                  found |= set(json.loads(each))
              """;
          case COMBINATORS ->
              NAMED.replace(
                  "texts(llm_batch([ask + \"\\n\\n\" + part for part in parts]))",
                  "map_llm(parts, ask)");
          default -> NAMED;
        };
    return found
        + """
        users = sorted(found)
        answer("\\n".join([a + "-" + b for i, a in enumerate(users) for b in users[i + 1:]]))
        """;
  }
}
