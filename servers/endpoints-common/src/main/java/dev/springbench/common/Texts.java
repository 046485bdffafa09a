package dev.springbench.common;

/** The plain-text bodies. */
public final class Texts {

    /** Named with its charset, because servers differ in the one they would add. */
    public static final String CONTENT_TYPE = "text/plain;charset=UTF-8";

    public static final String HELLO = "Hello, World!";
    public static final String TASK = "Task done";

    private Texts() {}
}
