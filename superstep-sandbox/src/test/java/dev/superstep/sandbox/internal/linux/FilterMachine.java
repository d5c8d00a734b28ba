package dev.superstep.sandbox.internal.linux;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/// Executes a program of a [SyscallFilter] as the kernel does, on the description of a call. What
/// the kernel would refuse to load is an error: a jump out of the program, or no answer.
record FilterMachine(List<Long> program) {
  private static final int LONGEST = 4_096;
  private static final int CALL_BYTES = 64;

  FilterMachine {
    if (program.size() > LONGEST) throw new IllegalStateException("too long: " + program.size());
  }

  /// A system call.
  record Call(int architecture, int number, List<Long> arguments) {
    ByteBuffer memory() {
      var memory = ByteBuffer.allocate(CALL_BYTES).order(ByteOrder.LITTLE_ENDIAN);
      memory.putInt(number).putInt(architecture).putLong(0x7fff_0000_1000L);
      for (int i = 0; i < 6; i++) memory.putLong(i < arguments.size() ? arguments.get(i) : 0);
      return memory;
    }
  }

  /// The kernel's answer to a call.
  int answer(Call call) {
    var memory = call.memory();
    int value = 0;
    for (int at = 0; ; at++) {
      long one = program.get(at);
      int operand = (int) (one >>> 32);
      int ifTrue = (int) (one >>> 16) & 0xff;
      int ifFalse = (int) (one >>> 24) & 0xff;
      switch ((int) one & 0xffff) {
        case 0x20 -> value = memory.getInt(operand);
        case 0x54 -> value &= operand;
        case 0x15 -> at += value == operand ? ifTrue : ifFalse;
        case 0x35 -> at += Integer.compareUnsigned(value, operand) >= 0 ? ifTrue : ifFalse;
        case 0x45 -> at += (value & operand) != 0 ? ifTrue : ifFalse;
        case 0x06 -> {
          return operand;
        }
        default -> throw new IllegalStateException("unknown instruction " + Long.toHexString(one));
      }
    }
  }
}
