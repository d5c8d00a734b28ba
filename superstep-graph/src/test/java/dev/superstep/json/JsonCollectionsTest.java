package dev.superstep.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Maps and lists become JSON as they are, or are refused with the place of what has no form.
class JsonCollectionsTest {
  private record Item(String name, int count) {}

  private enum Color {
    RED
  }

  @Test
  void a_map_of_anything_that_has_a_codec_becomes_an_object_in_its_own_order() {
    var order = new LinkedHashMap<String, Object>();
    order.put("id", 7L);
    order.put("price", new BigDecimal("19.90"));
    order.put("paid", true);
    order.put("due", LocalDate.of(2026, 3, 1));
    order.put("note", null);
    order.put("coupon", Optional.empty());
    order.put("color", Color.RED);
    order.put("raw", Json.parse("{\"a\": 1}"));
    order.put("items", List.of(new Item("pen \"x\"", 2), Map.of("k", List.of(1, 2.5))));

    assertThat(Json.of(order).text())
        .isEqualTo(
            """
            {"id":7,"price":19.90,"paid":true,"due":"2026-03-01","note":null,"coupon":null,\
            "color":"RED","raw":{"a":1},\
            "items":[{"name":"pen \\"x\\"","count":2},{"k":[1,2.5]}]}\
            """);
  }

  @Test
  void lists_and_sets_become_arrays_and_are_read_back() {
    assertThat(Json.of(List.of())).hasToString("[]");
    assertThat(Json.of(Map.of())).hasToString("{}");
    assertThat(Json.of(Arrays.asList("a", null, 3))).hasToString("[\"a\",null,3]");
    assertThat(Json.of(Set.of("x")).elements()).containsExactly(Json.string("x"));
    assertThat(Codec.mapOf(Long.class).decode(Json.of(Map.of("n", 5)))).isEqualTo(Map.of("n", 5L));
    assertThat(Json.parse(Json.of(List.of("\u2028\n", "\ud83d\ude00")).text()).elements())
        .containsExactly(Json.string("\u2028\n"), Json.string("\ud83d\ude00"));
  }

  @Test
  void a_key_that_is_no_string_is_refused_with_the_place_of_its_map() {
    assertThatThrownBy(() -> Json.of(Map.of("orders", List.of(Map.of(7, "seven")))))
        .isInstanceOf(UnsupportedType.class)
        .hasMessageStartingWith(
            "Type Map cannot be stored: the map at `orders[0]` has the key 7 of type Integer;"
                + " keys of JSON are strings.");
    var map = new HashMap<String, Object>();
    map.put(null, 1);
    assertThatThrownBy(() -> Json.of(map))
        .hasMessageContaining("the map itself has a key that is null");
  }

  @Test
  void a_value_without_a_form_is_refused_with_its_place() {
    assertThatThrownBy(() -> Json.of(Map.of("a", Map.of("b", List.of(1, new Object())))))
        .isInstanceOf(UnsupportedType.class)
        .hasMessageContaining("the value at `a.b[1]` is of type Object");
    assertThatThrownBy(() -> Json.of(List.of(new int[] {1})))
        .hasMessageContaining("the value at `[0]` is of type int[]; use a list");
    assertThatThrownBy(() -> Json.of(Map.of("a", Double.NaN)))
        .isInstanceOf(MalformedJson.class)
        .hasMessageContaining("JSON has no number NaN (at `a`)");
  }

  @Test
  void a_list_that_contains_itself_is_refused() {
    var list = new ArrayList<Object>();
    list.add(list);
    assertThatThrownBy(() -> Json.of(list))
        .isInstanceOf(UnsupportedType.class)
        .hasMessageContaining("nests deeper than 400 levels, or contains itself, at `[0][0]");
  }
}
