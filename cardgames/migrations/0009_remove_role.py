from django.db import migrations


class Migration(migrations.Migration):
    """Apart from the copy before it: PostgreSQL does not alter a table whose rows have just changed."""

    dependencies = [("cardgames", "0008_hidden_cards")]

    operations = [migrations.RemoveField("sheetseat", "role")]
