package dev.springbench.common;

import java.util.Random;

/** The large body: the same in each process, and nothing that compression makes smaller. */
public final class Bytes {

    public static final int SIZE = 1 << 20;

    private static final byte[] MEBIBYTE = new byte[SIZE];

    static {
        new Random(1).nextBytes(MEBIBYTE);
    }

    public static byte[] mebibyte() {
        return MEBIBYTE;
    }

    public static String received(long bytes) {
        return bytes + " bytes received";
    }

    private Bytes() {}
}
