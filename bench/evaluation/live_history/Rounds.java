import java.util.Arrays;

/** Prints how many nanoseconds one round of the injected work takes here, once it is compiled. */
public final class Rounds {

    private static final int ROUNDS = 1_000;
    private static volatile int kept;

    private Rounds() {}

    public static void main(String[] arguments) {
        double[] costs = new double[200];
        for (int measured = 0; measured < costs.length; measured++) {
            long begin = System.nanoTime();
            for (int repeated = 0; repeated < 100; repeated++) {
                int sum = 0;
                for (int round = 0; round < ROUNDS; round++) {
                    sum += Integer.toString(round * 7919).hashCode();
                }
                kept = sum;
            }
            costs[measured] = (System.nanoTime() - begin) / (100.0 * ROUNDS);
        }
        Arrays.sort(costs);
        System.out.println(costs[costs.length / 2]);
    }
}
