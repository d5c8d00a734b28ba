package dev.superstep.server.internal.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("SV6")
final class AddressGuardTest {
  private static final AddressGuard PUBLIC = AddressGuard.allowing(List.of());

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0.0.0.0",
        "10.1.2.3",
        "100.64.0.1",
        "100.127.255.255",
        "127.0.0.1",
        "127.9.9.9",
        "169.254.169.254",
        "172.16.0.1",
        "172.31.255.255",
        "192.168.0.1",
        "198.18.0.1",
        "224.0.0.1",
        "255.255.255.255",
        "192.0.2.7",
        "::",
        "::1",
        "fe80::1",
        "fc00::1",
        "fd00:ec2::254",
        "ff02::1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "::127.0.0.1",
        "64:ff9b::7f00:1",
        "2002:7f00:1::",
        "2001:0:1::1",
        "2001:db8::1",
        "fec0::1"
      })
  void an_address_that_is_not_public_is_refused(String address) throws Exception {
    assertThat(PUBLIC.isAllowed(InetAddress.getByName(address))).isFalse();
    assertThatThrownBy(() -> PUBLIC.addresses(address)).isInstanceOf(ForbiddenAddress.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.1", "2130706433", "0x7f000001", "017700000001"})
  void other_spellings_of_this_machine_do_not_help(String host) {
    assertThatThrownBy(() -> PUBLIC.addresses(host)).isInstanceOf(IOException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1.1.1.1",
        "8.8.8.8",
        "100.63.255.255",
        "100.128.0.1",
        "172.15.255.255",
        "172.32.0.1",
        "192.167.255.255",
        "198.17.255.255",
        "2606:4700::1111",
        "2a00:1450:4001::1"
      })
  void a_public_address_is_allowed(String address) throws Exception {
    assertThat(PUBLIC.addresses(address)).containsExactly(InetAddress.getByName(address));
  }

  @Test
  void a_name_is_refused_if_one_of_its_addresses_is() throws Exception {
    var both =
        new InetAddress[] {InetAddress.ofLiteral("1.1.1.1"), InetAddress.ofLiteral("10.0.0.1")};
    var guard = PUBLIC.with(_ -> both);
    assertThatThrownBy(() -> guard.addresses("mixed.example"))
        .isInstanceOf(ForbiddenAddress.class)
        .hasMessageContaining("`mixed.example`")
        .message()
        .doesNotContain("10.0.0.1");
    assertThat(PUBLIC.with(_ -> new InetAddress[] {both[0]}).addresses("one.example")).hasSize(1);
  }

  @Test
  void an_operator_allows_a_block() throws Exception {
    var guard = AddressGuard.allowing(List.of("10.1.0.0/16", "::1"));
    assertThat(guard.addresses("10.1.255.1")).hasSize(1);
    assertThat(guard.addresses("::1")).hasSize(1);
    assertThatThrownBy(() -> guard.addresses("10.2.0.1")).isInstanceOf(ForbiddenAddress.class);
    assertThatThrownBy(() -> guard.addresses("127.0.0.1")).isInstanceOf(ForbiddenAddress.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "example.com", "10.0.0.0/33", "10.0.0.0/x", "10.0.0.0/", "fd00::/129"})
  void what_is_no_block_is_refused(String text) {
    assertThatThrownBy(() -> AddressGuard.allowing(List.of(text)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is no block of addresses");
  }
}
