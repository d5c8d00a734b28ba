package dev.superstep.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.json.Json;
import dev.superstep.service.Document;
import dev.superstep.service.DocumentKind;
import dev.superstep.service.DocumentQuery;
import dev.superstep.service.DocumentQuery.Order;
import dev.superstep.service.ServiceStore;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Searches for documents, compared with a plain model.
@Tag("SV10")
public interface ServiceSearchSuite extends ServiceStoreUnderTest {
  /// A time of the tests.
  Instant MORNING = Instant.parse("2026-03-01T08:00:00Z");

  /// Random stores that are searched.
  int CASES = Integer.getInteger("superstep.cases", 12);

  private static void save(ServiceStore store, List<Document> documents) {
    store.write(in -> {
      for (var document : documents) assertThat(in.insert(document)).isTrue();
      return true;
    });
  }

  private static List<String> ids(ServiceStore store, DocumentQuery query) {
    return store.read(in -> in.search(query).stream().map(Document::id).toList());
  }

  private static Document thread(String id) {
    return Document.of(DocumentKind.THREAD, id, MORNING);
  }

  @Test
  default void a_part_of_metadata_finds_what_contains_it(ServiceStore store) {
    var whole =
        "{\"n\":1,\"a.b\":{\"\\\"\":[{\"x\":1.50,\"y\":2},\"ü\",null]},\"nil\":null,\"ok\":true}";
    save(store, List.of(thread("t").metadata(Json.parse(whole)), thread("empty")));
    var found =
        List.of(
            "{}",
            "{\"n\":1.0}",
            "{\"n\":10e-1}",
            "{\"nil\":null}",
            "{\"ok\":true,\"n\":1}",
            "{\"a.b\":{}}",
            "{\"a.b\":{\"\\\"\":[]}}",
            "{\"a.b\":{\"\\\"\":[\"ü\"]}}",
            "{\"a.b\":{\"\\\"\":[null,{\"x\":1.5},{\"y\":2}]}}");
    for (var part : found) {
      var query = DocumentQuery.of(DocumentKind.THREAD).having(Json.parse(part));
      assertThat(ids(store, query)).as(part).contains("t");
      long expected = part.equals("{}") ? 2 : 1;
      assertThat(store.<Long>read(in -> in.count(query))).as(part).isEqualTo(expected);
    }
    var absent =
        List.of(
            "{\"n\":\"1\"}",
            "{\"n\":1.01}",
            "{\"N\":1}",
            "{\"ok\":false}",
            "{\"none\":null}",
            "{\"nil\":{}}",
            "{\"a\":{\"b\":{}}}",
            "{\"a.b\":[]}",
            "{\"a.b\":{\"\\\"\":\"ü\"}}",
            "{\"a.b\":{\"\\\"\":[{\"x\":1.5,\"y\":3}]}}");
    for (var part : absent) {
      var query = DocumentQuery.of(DocumentKind.THREAD).having(Json.parse(part));
      assertThat(ids(store, query)).as(part).isEmpty();
    }
  }

  @Test
  default void strings_and_numbers_that_databases_refuse_are_found(ServiceStore store) {
    var odd =
        List.of("\"\\u0000\"", "\"\\ud800\"", "\"\\ue000\"", "\"\\ue0000000\"", "1e9999", "-0.0");
    save(
        store,
        IntStream.range(0, odd.size())
            .mapToObj(i -> thread("t" + i).metadata(Json.parse("{\"v\":[" + odd.get(i) + "]}")))
            .toList());
    for (int i = 0; i < odd.size(); i++) {
      var part = Json.parse("{\"v\":[" + odd.get(i) + "]}");
      var query = DocumentQuery.of(DocumentKind.THREAD).having(part);
      assertThat(ids(store, query)).as(odd.get(i)).containsExactly("t" + i);
    }
    var same = Json.parse("{\"v\":[10e9998]}");
    assertThat(ids(store, DocumentQuery.of(DocumentKind.THREAD).having(same)))
        .containsExactly("t4");
  }

  @Test
  default void what_is_never_due_comes_last_in_both_directions(ServiceStore store) {
    save(
        store,
        List.of(
            thread("a"),
            thread("b").dueAt(MORNING.plusSeconds(2)),
            thread("c").dueAt(MORNING.plusSeconds(1)),
            thread("d"),
            thread("e").dueAt(MORNING.plusSeconds(2))));
    var all = DocumentQuery.of(DocumentKind.THREAD);
    assertThat(ids(store, all.by(Order.DUE, false))).containsExactly("c", "b", "e", "a", "d");
    assertThat(ids(store, all.by(Order.DUE, true))).containsExactly("e", "b", "c", "d", "a");
    assertThat(ids(store, all.dueBy(MORNING.plusSeconds(1)))).containsExactly("c");
  }

  @Test
  default void ids_are_in_the_order_of_their_characters(ServiceStore store) {
    var ordered = List.of("-", "A", "Z", "a", "z", "ä", "\ue000", "\uffff", "😀");
    save(store, ordered.reversed().stream().map(ServiceSearchSuite::thread).toList());
    assertThat(ids(store, DocumentQuery.of(DocumentKind.THREAD).by(Order.ID, false)))
        .isEqualTo(ordered);
  }

  @Test
  default void a_part_of_a_label_is_found_whatever_its_case(ServiceStore store) {
    save(
        store,
        List.of(
            thread("1").labelled("Größe 100%"),
            thread("2").labelled("ÄRGER_"),
            thread("3").labelled("aerger")));
    var all = DocumentQuery.of(DocumentKind.THREAD).by(Order.ID, false);
    assertThat(ids(store, all.labelPart("ärger"))).containsExactly("2");
    assertThat(ids(store, all.labelPart("GER"))).containsExactly("2", "3");
    assertThat(ids(store, all.labelPart("GRÖSSE"))).containsExactly("1");
    assertThat(ids(store, all.labelPart("%"))).containsExactly("1");
    assertThat(ids(store, all.labelPart("_"))).containsExactly("2");
  }

  /// A store and what is asked of it.
  record Case(List<Document> documents, List<DocumentQuery> queries) {}

  @Test
  default void random_searches_find_what_a_plain_model_finds() throws Exception {
    Property.check(
        4_000,
        CASES,
        Random::draw,
        random -> {
          try (var store = fresh()) {
            // A store that is used again still has the documents of the case before.
            store.write(in -> {
              for (var old : in.search(DocumentQuery.of(DocumentKind.THREAD))) {
                in.delete(DocumentKind.THREAD, old.id());
              }
              return true;
            });
            save(store, random.documents());
            for (var query : random.queries()) {
              var expected = Model.search(random.documents(), query);
              assertThat(ids(store, query)).as("%s", query).isEqualTo(expected);
              var all = query.limit(Integer.MAX_VALUE).offset(0);
              assertThat(store.<Long>read(in -> in.count(query)))
                  .isEqualTo(Model.search(random.documents(), all).size());
            }
          }
        });
  }

  /// Makes random documents and queries.
  final class Random {
    private static final String[] LABELS = {"", "Ann", "ann b", "ÄNN", "änn", "ß", "SS", "😀", "%"};
    private static final String[] PARENTS = {"", "p", "P", "\uffff"};
    private static final String[] STATUSES = {"", "pending", "running"};
    private static final String[] NAMES = {"a", "b", "a.b", "\\\"", "ü", "$"};
    private static final String[] SCALARS = {
      "1",
      "1.0",
      "2",
      "\"1\"",
      "\"x\"",
      "\"X\"",
      "null",
      "true",
      "false",
      "\"\\u0000\"",
      "-0",
      "1e500"
    };

    private Random() {}

    static Case draw(Choices choices) {
      int many = choices.below(30);
      var documents = new ArrayList<Document>();
      for (int i = 0; i < many; i++) documents.add(document(choices, i));
      var queries = new ArrayList<DocumentQuery>();
      for (int i = 0; i < 12; i++) queries.add(query(choices));
      return new Case(documents, queries);
    }

    private static Instant time(Choices choices) {
      return MORNING.plusNanos(1_000L * choices.below(4));
    }

    private static Document document(Choices choices, int number) {
      return new Document(
          DocumentKind.THREAD,
          "d" + (number * 7) % 31 + (number % 2 == 0 ? "" : "é"),
          choices.of(PARENTS),
          choices.of(LABELS),
          choices.of(STATUSES),
          choices.chance(50) ? Optional.of(time(choices)) : Optional.empty(),
          time(choices),
          time(choices),
          Json.parse(object(choices, 3)),
          Json.parse("{}"));
    }

    private static String object(Choices choices, int depth) {
      var fields = new TreeMap<String, String>();
      int many = choices.below(3);
      for (int i = 0; i < many; i++) fields.put(choices.of(NAMES), value(choices, depth - 1));
      var text = new ArrayList<String>();
      fields.forEach((name, value) -> text.add("\"" + name + "\":" + value));
      return "{" + String.join(",", text) + "}";
    }

    private static String value(Choices choices, int depth) {
      int kind = depth == 0 ? 0 : choices.below(4);
      return switch (kind) {
        case 2 -> "[" + String.join(",", choices.list(2, each -> value(each, depth - 1))) + "]";
        case 3 -> object(choices, depth);
        default -> choices.of(SCALARS);
      };
    }

    private static DocumentQuery query(Choices choices) {
      var query = DocumentQuery.of(DocumentKind.THREAD);
      if (choices.chance(15)) query = query.under(choices.of(PARENTS));
      if (choices.chance(15)) query = query.labelled(choices.of(LABELS));
      if (choices.chance(15)) query = query.labelPart(choices.of(LABELS));
      if (choices.chance(15)) query = query.in(choices.of(STATUSES));
      if (choices.chance(15)) query = query.in("pending", "running");
      if (choices.chance(15)) query = query.dueBy(time(choices));
      if (choices.chance(10)) query = query.ids(Set.of("d0", "d7é", "d14", "none"));
      if (choices.chance(50)) query = query.having(Json.parse(object(choices, 3)));
      query = query.by(choices.of(Order.values()), choices.chance(50));
      if (choices.chance(30)) query = query.limit(choices.below(6));
      return choices.chance(30) ? query.offset(choices.below(4)) : query;
    }
  }

  /// Searches a list.
  final class Model {
    private static final JsonMapper JSON =
        JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

    private Model() {}

    static List<String> search(List<Document> documents, DocumentQuery query) {
      return documents.stream()
          .filter(document -> isFound(document, query))
          .sorted((a, b) -> compare(a, b, query))
          .skip(query.offset())
          .limit(query.limit())
          .map(Document::id)
          .toList();
    }

    private static boolean isFound(Document document, DocumentQuery query) {
      boolean isDue =
          query.due().isEmpty()
              || document.due().filter(due -> !due.isAfter(query.due().get())).isPresent();
      return isDue
          && (query.ids().isEmpty() || query.ids().contains(document.id()))
          && query.parent().map(document.parent()::equals).orElse(true)
          && query.label().map(document.label()::equals).orElse(true)
          && DocumentQuery.folded(document.label())
              .contains(DocumentQuery.folded(query.labelPart()))
          && (query.statuses().isEmpty() || query.statuses().contains(document.status()))
          && contains(
              JSON.readTree(document.metadata().text()), JSON.readTree(query.metadata().text()));
    }

    private static boolean contains(JsonNode whole, JsonNode part) {
      return switch (part.getNodeType()) {
        case OBJECT ->
            whole.isObject()
                && part.propertyStream()
                    .allMatch(field ->
                        whole.has(field.getKey())
                            && contains(whole.get(field.getKey()), field.getValue()));
        case ARRAY ->
            whole.isArray()
                && part.valueStream()
                    .allMatch(want -> whole.valueStream().anyMatch(there -> contains(there, want)));
        case NUMBER -> whole.isNumber() && whole.decimalValue().compareTo(part.decimalValue()) == 0;
        case BINARY, BOOLEAN, MISSING, NULL, POJO, STRING -> whole.equals(part);
      };
    }

    private static int compare(Document a, Document b, DocumentQuery query) {
      int never =
          query.order() == Order.DUE ? Boolean.compare(a.due().isEmpty(), b.due().isEmpty()) : 0;
      if (never != 0) return never;
      Comparator<Document> first =
          (left, right) ->
              Arrays.compareUnsigned(key(left, query.order()), key(right, query.order()));
      int by =
          first
              .thenComparing(
                  document -> document,
                  (left, right) ->
                      Arrays.compareUnsigned(key(left, Order.ID), key(right, Order.ID)))
              .compare(a, b);
      return query.descending() ? -by : by;
    }

    /// The compared values, as bytes whose order is that of the values.
    private static byte[] key(Document document, Order order) {
      var text =
          switch (order) {
            case CREATED -> digits(document.created());
            case UPDATED -> digits(document.updated());
            case ID -> document.id();
            case PARENT -> document.parent();
            case LABEL -> document.label();
            case STATUS -> document.status();
            case DUE -> document.due().map(Model::digits).orElse("");
          };
      return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String digits(Instant time) {
      return "%020d.%09d".formatted(time.getEpochSecond(), time.getNano());
    }
  }
}
