"""How well the finder of steps finds them, beside the rules that others use."""
