"""The agents. Read `fixed_list_agents` (RAND and OPTIMAL, the ends of the scale), `memory` (MEM), `ranking` (DQN), then
`belief` and `object_search`, which revises its ranking after each failed attempt."""
